// Copies the link of a game. The clipboard of newer browsers is closed on plain http, where a class is; this one is not.
document.documentElement.classList.add("has-scripts");

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  document.getElementById(button.dataset.copy).select();
  button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
});
