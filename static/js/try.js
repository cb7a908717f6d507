// The page on which a student tries their own file. The file stays here: it goes to a worker of this browser and nowhere
// else. What comes back from the worker is shown as text.

import { element, playIn, smallBoard } from "./own_game.js";
import { Pythons, loadParts } from "./python.js";

const bench = document.getElementById("try");
const part = (name) => bench.querySelector(`[data-part="${name}"]`);
const panel = (name) => bench.querySelector(`[data-panel="${name}"]`);
const code = document.getElementById("code");
const lab = () => bench.querySelector("[name=lab]:checked").value;
const starter = (name) => bench.querySelector(`[data-starter="${name}"]`).content.textContent;
const pythons = new Pythons(bench.dataset.worker);
const SUFFIX = /\.(py|ipynb)$/i;
const LARGEST = 1_000_000;
const WANTED = { agent: /def\s+best_move/, tictactoe: /def\s+minimax/, pruning: /class\s+Game/ };
const MOST_ACCIDENTS = 40;
const KEPT = "noughts-code";
const MINE = bench.dataset.who ? `${KEPT} ${bench.dataset.who}` : KEPT;
const NOT_LOADED = "The network did not answer, or it blocks files: Python could not be loaded";
const NOT_STARTED = "Python did not start in this browser";
const TO_HAVE = " Your browser needs WebAssembly and module workers: Chrome, Edge or Firefox from 2023 on, or Safari 16.4. A network that blocks files can be the reason, too.";

// The file

let chosen = null;  // what was chosen or dropped: [name, bytes] each, the main file first; null while the editor is used
let given = null;  // what the worker got last, so that the same files are not sent again

function bytesOf(text) {
  return new TextEncoder().encode(text);
}

function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function files() {
  const text = code.value;
  const now = chosen && chosen.isOpaque ? chosen.files : [[chosen?.files[0][0] ?? `${lab()}.py`, bytesOf(text)], ...(chosen?.files.slice(1) ?? [])];
  const isSame = given && given.length === now.length && now.every(([name, bytes], at) => given[at][0] === name && (given[at][1] === bytes || textOf(given[at][1]) === textOf(bytes)));
  if (!isSame) given = now;
  return given;
}

// The main file is the one with the lab's function; the others lie beside it.
function mainFirst(found) {
  const isMain = ([name, bytes]) => SUFFIX.test(name) && WANTED[lab()].test(textOf(bytes) ?? "");
  const main = found.find(isMain) ?? found[0];
  return [main, ...found.filter((one) => one !== main)];
}

async function choose(list) {
  const wrong = [...list].filter((file) => !SUFFIX.test(file.name) || file.size > LARGEST || /[/\\]/.test(file.name));
  const taken = [...list].filter((file) => !wrong.includes(file));
  part("file-trouble").hidden = !wrong.length;
  part("file-trouble").textContent = wrong.length ? `Not taken: ${wrong.map((file) => file.name).join(", ")}. Only .py and .ipynb files of up to 1 MB can be tried.` : "";
  if (!taken.length) return;
  const found = mainFirst(await Promise.all(taken.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())])));
  const text = /\.py$/i.test(found[0][0]) ? textOf(found[0][1]) : null;
  chosen = { files: found, isOpaque: text === null };
  showChosen(text);
}

function showChosen(text) {
  const [[main], ...others] = chosen.files;
  part("files").hidden = false;
  part("files").textContent = `Your file is ${main}${others.length ? `, with ${others.map(([name]) => name).join(", ")} beside it` : ""}.`;
  part("editor").hidden = text === null;
  part("code-label").textContent = `${main}, as it is tried. Changes stay on this page.`;
  if (text !== null) write(text);
}

function write(text) {
  code.value = text;
  number();
  keepCode();
}

function number() {
  const count = code.value.split("\n").length;
  part("numbers").textContent = Array.from({ length: count }, (_, at) => at + 1).join("\n");
  part("numbers").scrollTop = code.scrollTop;
}

// In this tab only, so that a way to an analysis and back does not cost the work of an hour. Under the name of who is
// logged in: at a computer that many use, the next one finds nothing of theirs.
function keepCode() {
  try {
    sessionStorage.setItem(MINE, JSON.stringify([lab(), code.value]));
  } catch { /* a private window may have no room: then nothing is kept */ }
}

// What somebody wrote before they logged in comes with them; what another wrote, who was logged in, goes.
function kept() {
  const mine = sessionStorage.getItem(MINE) ?? sessionStorage.getItem(KEPT);
  if (MINE !== KEPT) {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(KEPT) && key !== MINE) sessionStorage.removeItem(key);
    }
  }
  return mine;
}

function comeBack() {
  try {
    const [name, text] = JSON.parse(kept() ?? "[]");
    if (text && text !== starter(name) && name in WANTED) {
      bench.querySelector(`[name=lab][value="${name}"]`).checked = true;
      return text;
    }
  } catch { /* nothing of ours */ }
  return starter(lab());
}

let leaves = false;
code.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaves = true;
  else if (event.key === "Tab" && !leaves && !event.shiftKey) {
    event.preventDefault();
    document.execCommand("insertText", false, "    ");  // as if typed: it can be undone, and is kept
  } else if (event.key !== "Shift") leaves = false;
});
code.addEventListener("input", () => { number(); keepCode(); });
code.addEventListener("scroll", () => { part("numbers").scrollTop = code.scrollTop; });
document.getElementById("files").addEventListener("change", (event) => {
  choose(event.target.files);
  event.target.value = "";  // or the same file, changed in the meantime, would be no change to the browser
});
for (const name of ["dragover", "dragleave", "drop"]) {
  part("drop").addEventListener(name, (event) => {
    event.preventDefault();
    part("drop").classList.toggle("is-over", name === "dragover");
    if (name === "drop") choose(event.dataTransfer.files);
  });
}
for (const choice of bench.querySelectorAll("[name=lab]")) {
  choice.addEventListener("change", () => {
    const isStarter = ["agent", "tictactoe", "pruning"].some((name) => code.value === starter(name));
    if (!chosen && isStarter) write(starter(lab()));
    else keepCode();
  });
}

// Python

let loaded = null;

function load() {
  loaded ??= loadParts(JSON.parse(bench.dataset.parts), (done, total) => {
    part("loading-bar").value = done / total;
    part("loading-words").textContent = `Loading Python, only the first time: ${(done / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
  });
  return loaded;
}

async function ready() {
  part("trouble").hidden = true;
  const waits = setTimeout(() => { part("loading").hidden = false; }, 150);
  let trouble = NOT_LOADED;
  try {
    await load();
    trouble = NOT_STARTED;
    part("loading-words").textContent = "Starting Python …";
    return await pythons.take();
  } catch (error) {
    loaded = null;
    complain(`${trouble} (${error.message}).${trouble === NOT_STARTED ? TO_HAVE : ""} Try again, or use labs.pyz on your own machine.`);
    return null;
  } finally {
    clearTimeout(waits);
    part("loading").hidden = true;
  }
}

function complain(sentence) {
  part("trouble").hidden = false;
  part("trouble").textContent = sentence;
}

// Does something until it is done: a call that took too long, or ended Python, is not made again by the next one. Who
// begins something else, or stops, ends what is under way: that gives null.
let working = 0;

async function work(request, hear) {
  halt();
  const now = working;
  const accidents = {};
  for (let count = 0; count < MOST_ACCIDENTS; count += 1) {
    const python = await ready();
    if (!python || now !== working) return null;
    const sent = files();
    try {
      return await python.run({ ...request(), lab: lab(), main: sent[0][0], accidents }, sent, (message) => { if (now === working) hear(message); });
    } catch (accident) {
      if (now !== working) return null;
      (accidents[accident.test] ??= {})[accident.number] = accident.trouble;
    }
  }
  complain("Your file ended Python again and again, so this was given up. Use labs.pyz on your own machine.");
  return null;
}

function halt() {
  working += 1;
  pythons.stop();
}

// Play

const LOST = { next: null, headline: "No game", sentence: "Python did not start.", is_trouble: true };
const STOPPED = { next: null, headline: "You stopped it", sentence: "A new game reads your file again.", is_trouble: true };
let wasStopped = false;

const game = playIn(panel("play"), async (asked) => {
  wasStopped = false;
  const shown = await work(() => ({ task: "move", ...asked }), () => {});
  return shown ?? { board: asked.board, ...(wasStopped ? STOPPED : LOST) };
}, () => { wasStopped = true; halt(); });

// Check

const inWords = (seconds) => (seconds < 1.5 ? "about a second" : seconds < 90 ? `about ${Math.round(seconds)} seconds` : `about ${Math.round(seconds / 60)} minutes`);
function boardOf(found) {
  const turn = `${found.to_move} to move`;
  const address = `${bench.dataset.analysis}?position=${encodeURIComponent(found.position)}&to_move=${encodeURIComponent(found.to_move)}`;
  const link = element("a", { href: address, target: "_blank", rel: "noopener" }, "Analyse this board");
  return element("figure", { class: "labs-board" }, smallBoard(found.position, `${found.position}, ${turn}`), element("figcaption", {}, `${turn}. `, link));
}

const line = (title, text) => (text ? [element("dt", {}, title), element("dd", {}, text)] : []);

function explained(found, isWrong) {
  const parts = found.position && /^[XO.]{9}$/.test(found.position) ? [boardOf(found)] : [];
  const asked = /^\(\)?$/.test(found.asked) ? "" : found.asked;
  parts.push(element("dl", { class: "try-found" }, ...line("Asked", asked), ...line("Came back", found.came), ...line(isWrong ? "Right" : "Better", found.right), ...line("Why", found.why)));
  if (found.details?.length) parts.push(element("pre", { class: "screen", tabindex: 0 }, found.details.join("\n")));
  if (found.mistake_name) parts.push(element("p", { class: "try-mistake" }, element("b", {}, `${isWrong ? "A known mistake" : "Worth knowing"}: ${found.mistake_name}.`), ` ${found.advice}`));
  return parts;
}

function shownResult(result) {
  const state = result.passed ? "ok" : result.is_skipped ? "not asked" : "wrong";
  const head = element("p", {}, element("b", { class: `try-${state.replace(" ", "-")}` }, state), element("span", {}, `${result.name}: ${result.is_skipped ? "the file does not load" : result.title}`));
  const before = result.asked > 1 ? `, after ${(result.asked - 1).toLocaleString("en")} right answers` : "";
  const place = result.finding && result.questions > 1 ? [element("p", { class: "soft small" }, `Question ${result.asked.toLocaleString("en")} of ${result.questions.toLocaleString("en")}${before}.`)] : [];
  const note = result.note ? [element("p", { class: "soft small" }, result.note)] : [];
  const remarks = (result.remarks ?? []).flatMap((found) => explained(found, false));
  return element("li", {}, head, ...place, ...(result.finding ? explained(result.finding, true) : []), ...note, ...remarks);
}

function offerToKeep(results) {
  const form = part("keep");
  if (!form) return;
  const wrong = results.find((one) => !one.passed);
  const values = { lab: lab(), passed: results.filter((one) => one.passed).length, wrong: wrong?.name ?? "", mistake: wrong?.finding?.mistake ?? "" };
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  form.hidden = false;
}

let newestCheck = 0;

async function check() {
  const now = ++newestCheck;
  const results = new Map();
  let [test, began] = ["", 0];
  part("results").replaceChildren();
  if (part("keep")) part("keep").hidden = true;
  part("check-stop").hidden = false;
  part("check-bar").value = 0;
  part("check-words").textContent = "Checking …";
  const names = { left: null };
  const hear = (message) => {
    if (message?.kind === "result" && !results.has(message.name)) {
      results.set(message.name, message);
      part("results").append(shownResult(message));
      part("check-left").textContent = "";
    } else if (message?.kind === "progress") {
      if (test !== message.test) [test, began] = [message.test, performance.now()];
      const took = (performance.now() - began) / 1000;
      part("check-bar").value = message.share;
      part("check-words").textContent = `Checking ${message.test} …`;
      part("check-left").textContent = `${message.done.toLocaleString("en")} of ${message.total.toLocaleString("en")} questions` + (took > 2 && message.share > 0.02 ? `, ${inWords(took * (1 / message.share - 1))} left` : "");
    } else if (message?.kind === "tests") names.left = message.names;
  };
  const left = () => (names.left ?? []).filter((name) => !results.has(name));
  const done = await work(() => ({ task: "check", only: left() }), hear);
  if (now === newestCheck) endCheck([...results.values()], done !== null);  // or it was begun anew meanwhile
}

function endCheck(results, isWhole) {
  const passed = results.filter((one) => one.passed).length;
  const first = results.find((one) => !one.passed);
  part("check-stop").hidden = true;
  part("check-left").textContent = "";
  part("check-bar").value = 1;
  const sum = first ? `${passed} of ${results.length} tests passed. Begin with ${first.name}.` : `All ${passed} tests passed.`;
  part("check-words").textContent = isWhole ? sum : `Stopped after ${results.length} tests. ${passed} of them passed.`;
  document.getElementById("spoken").textContent = part("check-words").textContent;
  if (isWhole) offerToKeep(results);
}

part("check-stop").addEventListener("click", halt);

// Compare

const CELLS = ["(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)", "(1, 1)", "(1, 2)", "(2, 0)", "(2, 1)", "(2, 2)"];
const inTime = (seconds) => (seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(2)} s`);

function row(found) {
  const name = element("th", { scope: "row" }, found.name);
  if (found.sentence) return element("tr", {}, name, element("td", { colspan: 3 }, found.sentence));
  const number = (label, text) => element("td", { class: "number", "data-label": label }, text);
  return element("tr", found.is_own ? { class: "try-own" } : {}, name, number("Nodes", found.nodes ? found.nodes.toLocaleString("en") : "not counted"), number("Time", inTime(found.seconds)), element("td", { "data-label": "Move" }, CELLS[found.cell] ?? ""));
}

let newestComparison = 0;

part("compare-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const now = ++newestComparison;
  const names = new Set();
  part("rows").replaceChildren();
  part("compare-stop").hidden = false;
  part("compare-words").textContent = "Comparing …";
  const board = document.getElementById("position").value.toUpperCase();
  const done = await work(() => ({ task: "compare", board, to_move: "" }), (message) => {
    if (message?.kind !== "row" || names.has(message.name)) return;
    names.add(message.name);
    part("compare-table").hidden = part("compare-note").hidden = false;
    part("rows").append(row(message));
  });
  if (now !== newestComparison) return;  // it was begun anew meanwhile
  part("compare-stop").hidden = true;
  part("compare-words").textContent = done ? done.sentence ?? "" : "Stopped.";
});

part("compare-stop").addEventListener("click", halt);

// What to do

const TASKS = { play: () => game.begin(), check, compare: () => document.getElementById("position").focus() };

for (const button of bench.querySelectorAll("[data-task]")) {
  button.addEventListener("click", () => {
    halt();
    for (const one of bench.querySelectorAll("[data-panel]")) one.hidden = one.dataset.panel !== button.dataset.task;
    for (const one of bench.querySelectorAll("[data-task]")) one.setAttribute("aria-pressed", one === button);
    panel(button.dataset.task).scrollIntoView({ block: "nearest" });
    TASKS[button.dataset.task]();
  });
}

bench.hidden = false;
write(comeBack());
