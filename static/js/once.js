// A press that takes long is made once: its button tells that it works, and takes no second press.
document.addEventListener("submit", (event) => {
  const button = event.target.matches("[data-once]") && event.submitter;
  if (!button) return;
  button.dataset.words = button.textContent;
  button.textContent = "Please wait …";
  setTimeout(() => { button.disabled = true; });  // not before the form is sent
});

// Back to the page by the browser's own button.
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("[data-words]")) {
    button.disabled = false;
    button.textContent = button.dataset.words;
  }
});
