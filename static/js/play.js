// Sends a board's form without leaving the page, and lets the arrow keys walk over the cells.
// The server's HTML is the only truth: what comes back replaces <main>. Without this file the
// plain forms do the same job.

const LOST = "The network did not answer, so your press may not have arrived. Press again: a move counts only once.";
const BACK = "The network is back. If your press did not arrive, press again: a move counts only once.";
const TRY_AGAIN = 2000;
const PATIENCE = 15_000;  // a connection that only stalls would keep the board busy for minutes
const main = () => document.getElementById("live");
const textOf = (id) => document.getElementById(id)?.textContent.trim().replace(/\s+/g, " ") ?? "";
const strokeTime = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--stroke")) || 0;
const here = () => location.pathname + location.search;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let shown = here();  // the address whose page this is

function say(sentence) {
  document.getElementById("spoken").textContent = sentence;
}

function complain(sentence) {
  main().querySelector(".notice-error")?.remove();
  const notice = document.createElement("p");
  notice.className = "notice notice-error";
  notice.setAttribute("role", "alert");
  main().prepend(notice);
  notice.textContent = sentence;
  return notice;
}

// Stays until the server answers again, until a press gets through, or until news show what came of it (live.js).
async function complainOfNetwork() {
  const notice = complain(LOST);
  notice.dataset.lost = "";
  const answers = () => fetch(location.href, { method: "HEAD", cache: "no-store" }).then(() => true, () => false);
  do await pause(TRY_AGAIN); while (notice.isConnected && !(await answers()));
  notice.textContent = BACK;
}

// The mark appears under the finger; nothing else can be pressed until the answer is here.
function press(form, cell) {
  form.setAttribute("aria-busy", "true");
  cell?.classList.add("is-sent");
}

function release(form, cell) {
  form.removeAttribute("aria-busy");
  cell?.classList.remove("is-sent");
}

async function post(form, submitter) {
  const fields = new URLSearchParams(new FormData(form));
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  const headers = { Prefer: "return=representation" };  // the page in the answer itself: one trip instead of two
  const response = await fetch(form.action, { method: "POST", body: fields, headers, signal: AbortSignal.timeout(PATIENCE) });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const address = response.headers.get("Content-Location");
  return { url: address ? new URL(address, location.href).href : response.redirected ? response.url : null, page };
}

// Main, head and title are swapped; the address follows.
function swap({ url, page }, cell) {
  const top = cell ? scrollY : 0;  // a longer page must not carry the eye away from the cell
  document.title = page.title;
  document.getElementById("head").replaceWith(page.getElementById("head"));
  main().replaceWith(page.getElementById("live"));
  if (url && url !== location.href) history.pushState(null, "", url);
  shown = here();
  const now = cell && main().querySelectorAll(".cell")[cell.value];
  // One's own last move was already drawn when it was pressed; only an answer is drawn now.
  if (now?.getAttribute("aria-label")?.includes("last move")) main().classList.add("is-settled");
  const over = main().querySelector("[data-over]");
  (over || !now ? document.getElementById("headline") ?? main() : now).focus({ preventScroll: true });
  say(over ? textOf("happened") : `${textOf("headline")}. ${textOf("happened")}`);
  scrollTo(0, now ? top : 0);
}

// A page without a board is no answer to a move: a page to go to (log in), or an error, whose sentences are
// shown above the board that stays.
function show(answer, form, cell) {
  if (answer.page.querySelector("#live .board")) return swap(answer, cell);
  if (answer.url) return location.assign(answer.url);
  const sentences = [...answer.page.querySelectorAll("#live > .notice, #live h1, #live h1 + p")].map((one) => one.textContent.trim());
  release(form, cell);
  return complain(sentences.map((one) => one.replace(/[^.]$/, "$&.")).join(" ") || LOST);
}

async function send(form, submitter) {
  const cell = submitter?.closest(".cell");
  press(form, cell);
  try {
    const [answer] = await Promise.all([post(form, submitter), pause(cell ? strokeTime() : 0)]);
    show(answer, form, cell);
  } catch {
    release(form, cell);
    complainOfNetwork();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-swap]") || event.submitter?.formMethod === "dialog") return;
  event.preventDefault();
  if (!document.querySelector("[aria-busy=true]")) send(form, event.submitter);
});

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  const board = event.target.closest?.(".cells");
  if (!step || !board || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const cells = [...board.querySelectorAll(".cell")];
  const [rows, columns] = [Number(board.dataset.rows), Number(board.dataset.columns)];
  const at = cells.indexOf(event.target.closest(".cell"));
  const [row, column] = [Math.floor(at / columns) + step[0], (at % columns) + step[1]];
  if (row >= 0 && row < rows && column >= 0 && column < columns) cells[row * columns + column].focus();
});

// The pages pushed above have no state of their own: going back or forth asks the server. A link to a part of the page
// comes here, too.
addEventListener("popstate", () => { if (here() !== shown) location.reload(); });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
