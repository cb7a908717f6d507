// Copies the link of a game, or the token of an agent. The clipboard of newer browsers is closed on plain http, where a
// class is; this one is not.
document.documentElement.classList.add("has-scripts");

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  if (source.select) source.select();
  else getSelection().selectAllChildren(source);
  button.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl+C";
});
