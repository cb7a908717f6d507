// Lets one press the cells of the editor: each press turns a cell from free to X, to O, and back to free.
// The nine choices stay what is sent; without this file they are what one uses.
for (const choice of document.querySelectorAll(".editor-cells select")) {
  const button = document.createElement("button");
  const show = () => {
    const letter = choice.value === "." ? "" : choice.value;
    button.className = `editor-cell pen-${letter.toLowerCase()}`;
    button.textContent = letter;
    button.setAttribute("aria-label", `${choice.getAttribute("aria-label")}, ${letter || "free"}`);
  };
  button.type = "button";
  button.addEventListener("click", () => {
    choice.selectedIndex = (choice.selectedIndex + 1) % choice.options.length;
    show();
  });
  choice.hidden = true;
  choice.after(button);
  show();
  addEventListener("pageshow", show);  // some browsers fill in only now what was chosen before one went away
}
