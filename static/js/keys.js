// Presses the link that names the key: what is on the page can be pressed without this file, too.
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select, .cells, [role=region]")) return;  // there the keys have a meaning of their own
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`)?.click();
});
