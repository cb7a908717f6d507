// Escape takes a question back, and what asked has the focus again.
document.addEventListener("keydown", (event) => {
  const asking = event.key === "Escape" && event.target.closest?.(":is(.ask, .decline)[open]");
  if (!asking) return;
  asking.open = false;
  asking.querySelector("summary").focus();
});
