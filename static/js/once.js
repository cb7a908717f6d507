// A press that takes long is made once: its button tells that it works, and takes no second press.

const PATIENCE = 15_000;  // then the network has lost it, or somebody has stopped it, and it may be made again

document.addEventListener("submit", (event) => {
  const button = event.target.matches("[data-once]") && event.submitter;
  if (!button) return;
  button.dataset.words = button.textContent;
  button.textContent = "Please wait …";
  setTimeout(() => { button.disabled = true; });  // not before the form is sent
  setTimeout(release, PATIENCE);
});

// Back to the page by the browser's own button.
addEventListener("pageshow", release);

function release() {
  for (const button of document.querySelectorAll("[data-words]")) {
    button.disabled = false;
    button.textContent = button.dataset.words;
  }
}
