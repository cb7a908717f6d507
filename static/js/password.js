// Puts a button "Show" beside every password field, so that one can read what one types.
for (const input of document.querySelectorAll("input[type=password]")) {
  const button = document.createElement("button");
  const turn = (type) => {
    input.type = type;
    button.textContent = type === "password" ? "Show" : "Hide";
    button.setAttribute("aria-label", `${button.textContent} ${input.labels[0].textContent}`);
  };
  button.type = "button";
  button.addEventListener("click", () => turn(input.type === "password" ? "text" : "password"));
  // Browsers remember what was typed into a plain field: hide it again before it is sent.
  input.form.addEventListener("submit", () => turn("password"));
  input.after(button);
  turn("password");
}
