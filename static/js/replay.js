// Steps through a replay or a search without leaving the page: by its links, and by the arrow keys, Home and End.
// The server's HTML is the only truth: what comes back replaces <main>. Without this file the links
// do the same job.

const main = () => document.getElementById("live");
const textOf = (id) => document.getElementById(id).textContent.trim().replace(/\s+/g, " ");
const LOST = "The network did not answer. Press again.";
const pressed = [];  // the keys of steps that were wanted while a page was on its way: they are taken one by one
let newest = 0, isOnItsWay = false;

function complain() {
  const notice = main().querySelector(".notice-error") ?? document.createElement("p");
  notice.className = "notice notice-error";
  notice.setAttribute("role", "alert");
  main().prepend(notice);
  notice.textContent = LOST;
}

async function show(url, focused) {
  const turn = ++newest;
  isOnItsWay = true;
  const text = await fetch(url).then((response) => response.text()).catch(() => null);
  if (turn !== newest) return;  // a move of the list was pressed meanwhile, and its page is the one wanted
  isOnItsWay = false;
  if (text === null) {
    pressed.length = 0;
    return complain();
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  history.replaceState(null, "", url);  // one game is one entry, so that Back leads out of it
  document.title = page.title;
  main().replaceWith(page.getElementById("live"));
  if (focused) main().querySelector(focused)?.focus({ preventScroll: true });
  document.getElementById("spoken").textContent = `${textOf("headline")}. ${textOf("happened")}`;
  const next = linkOf(pressed.shift());
  if (next?.href) step(next);
  else pressed.length = 0;
}

const linkOf = (key) => main().querySelector(`.steps a[data-key="${CSS.escape(key ?? "")}"]`);

function step(link) {
  const key = link.dataset.key;
  if (isOnItsWay && key) return pressed.push(key);
  pressed.length = key ? pressed.length : 0;
  const focused = link.matches(":focus") ? (key ? `[data-key=${key}]` : `a[href="${link.getAttribute("href")}"]`) : "";
  show(link.href, focused).catch(() => location.assign(link.href));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest(".replay .steps a[data-key], .played-moves a");
  if (!link || !(link.href || isOnItsWay) || event.button) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  step(link);
});

document.addEventListener("keydown", (event) => {
  if (event.target.matches?.("input, select")) return;  // there the keys have a meaning of their own
  const link = linkOf(event.key);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (link.href || isOnItsWay) step(link);
});
