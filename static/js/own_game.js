// A game against a student's own file: on /labs/try, and in the runner on the desk (webapp/labs/desk). What differs is
// `ask`, which gets a board, the person's mark and whether the game is new, and promises what is to be shown.

const SVG = "http://www.w3.org/2000/svg";
const NAMES = ["top left", "top centre", "top right", "middle left", "centre", "middle right", "bottom left", "bottom centre", "bottom right"];
const STROKES = {
  X: ["M27 26C41 39 60 59 74 75", "M74 25C61 39 41 58 26 74"],
  O: ["M55 24C38 21.5 23.5 33 23.5 50C23.5 66 35 77 50 77C66 77 77 65 76.5 50C76 34.5 64 24 49 24.2"],
};
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const EMPTY = ".".repeat(9);

function filled(one, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  one.append(...children);
  return one;
}

export const element = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);
const shape = (name, attributes, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

function mark(letter) {
  return shape("g", { class: `mark mark-${letter.toLowerCase()}` }, ...STROKES[letter].map((d) => shape("path", { pathLength: 1, d })));
}

function drawnMark(letter, cell, isLast) {
  const place = { transform: `translate(${(cell % 3) * 100} ${Math.floor(cell / 3) * 100})`, ...(isLast && { class: "is-new" }) };
  const tint = shape("rect", { class: `tint-${letter.toLowerCase()}`, x: 7, y: 7, width: 86, height: 86, rx: 11 });
  return shape("g", place, ...(isLast ? [tint] : []), mark(letter));
}

function strike(line) {
  const at = (cell) => [(cell % 3) * 100 + 50, Math.floor(cell / 3) * 100 + 50];
  const [[x1, y1], [x2, y2]] = [at(line[0]), at(line[line.length - 1])];
  const [across, down] = [Math.sign(x2 - x1) * 36, Math.sign(y2 - y1) * 36];
  return shape("path", { class: "strike", pathLength: 1, d: `M${x1 - across} ${y1 - down}L${x2 + across} ${y2 + down}` });
}

function drawing(game) {
  const lines = [100, 200].flatMap((at) => [`M${at} 3V297`, `M3 ${at}H297`]).map((d) => shape("path", { class: "grid-line", d }));
  const marks = [...game.board].flatMap((letter, cell) => (letter in STROKES ? [drawnMark(letter, cell, cell === game.last)] : []));
  return [...lines, ...marks, ...(game.line?.length ? [strike(game.line)] : [])];
}

export function smallBoard(board, words) {
  return shape("svg", { class: "board-picture board-small", viewBox: "-4 -4 308 308", role: "img", "aria-label": words }, ...drawing({ board }));
}

function cellOf(game, letter, cell, press) {
  if (letter !== "." || !game.next) {
    const said = letter === "." ? "free" : letter;
    return element("div", { class: "cell", role: "img", tabindex: -1, "aria-label": `${NAMES[cell]}, ${said}${cell === game.last ? ", last move" : ""}` });
  }
  const ghost = shape("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, mark(game.next));
  const button = element("button", { type: "button", class: "cell", "aria-label": `${NAMES[cell]}, free` }, ghost);
  button.addEventListener("click", () => press(cell));
  return button;
}

function largeBoard(game, press) {
  const picture = shape("svg", { class: "board-picture", viewBox: "0 0 300 300", "aria-hidden": "true" }, ...drawing(game));
  const cells = [...game.board].map((letter, cell) => cellOf(game, letter, cell, press));
  return element("div", { class: "board" }, picture, element("div", { class: "cells", "data-rows": 3, "data-columns": 3, role: "group", "aria-label": "Board, 3 by 3" }, ...cells));
}

function walk(event) {
  const step = STEPS[event.key];
  const cells = [...event.currentTarget.querySelectorAll(".cell")];
  const at = cells.indexOf(event.target);
  if (!step || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const [row, column] = [Math.floor(at / 3) + step[0], (at % 3) + step[1]];
  if (row >= 0 && row < 3 && column >= 0 && column < 3) cells[row * 3 + column].focus();
}

const screen = (title, text) => (text ? [element("p", { class: "small soft" }, title), element("pre", { class: "screen", tabindex: 0 }, text)] : []);

// Parts that stand in `root`: headline, sentence, board, below, and the buttons X, O and stop.
export function playIn(root, ask, stop) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  let [mine, turn, shown] = ["X", 0, { board: EMPTY, next: null }];

  function show(game, focus) {
    shown = game;
    part("headline").textContent = game.headline;
    part("sentence").textContent = game.sentence;
    part("board").replaceChildren(largeBoard(game, press));
    part("below").replaceChildren(...screen("As in the terminal:", game.trace), ...screen("It printed:", game.printed));
    root.classList.toggle("has-trouble", Boolean(game.is_trouble));
    if (focus !== undefined) (game.next ? part("board").querySelectorAll(".cell")[focus] : part("headline")).focus({ preventScroll: true });
  }

  async function go(board, last, isNew) {
    const now = ++turn;
    const waits = setTimeout(() => { part("stop").hidden = false; }, 700);
    show({ board, last, next: null, headline: isNew ? "Loading your file …" : "Your file is thinking …", sentence: "" });
    const game = await ask({ board, mark: mine, new: isNew });
    clearTimeout(waits);
    if (now !== turn) return;  // a new game was begun meanwhile
    part("stop").hidden = true;
    show({ ...game, last: game.last ?? last }, last ?? (isNew ? undefined : 0));
  }

  function press(cell) {
    const board = [...shown.board];
    board[cell] = mine;
    go(board.join(""), cell, false);
  }

  for (const letter of ["X", "O"]) part(letter).addEventListener("click", () => { mine = letter; go(EMPTY, null, true); });
  part("stop").addEventListener("click", () => { part("stop").hidden = true; stop(); });
  part("board").addEventListener("keydown", walk);
  part("board").replaceChildren(largeBoard(shown, press));
  return { begin: () => go(EMPTY, null, true) };
}
