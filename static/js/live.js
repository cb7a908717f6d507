// Keeps a page up to date by itself: [data-live] says where its piece, its news and its state are. The server
// tells over one stream that something changed; the piece is fetched as HTML and put in place. Where no stream
// comes through, the page asks again and again instead.

import { renewChildren } from "./renew.js";

const LOST = "No connection; trying again.";
const SECOND = 1000;
// How long silence is taken for patience: for the first word of a stream, between two beats, after a break; for an answer.
const FIRST_WORD = 5 * SECOND, BEAT = 40 * SECOND, BREAK = 3 * SECOND, PATIENCE = 10 * SECOND;
const ASK = { game: SECOND, lobby: 5 * SECOND, hidden: 10 * SECOND, trouble: 2 * SECOND };
const TRY_AGAIN = 5 * SECOND, TRY_AGAIN_AT_MOST = 60 * SECOND;

// One's own move is on its way, or a finger is down: nothing moves away under it.
const UNDER_WAY = "[aria-busy=true], :is(button, a, select, summary):active";

let page = null;  // the element that is kept up to date
let source = null;  // its stream
let asking = false;  // instead of a stream
let tag = "";  // the ETag of the last answer
let isLost = false, isBroken = false;  // no answer at all; the stream is being tried again
let askTimer, silenceTimer;
let lastHeard = 0, lastPiece = Date.now(), nextTry = 0, tryAfter = TRY_AGAIN;

const get = (address, headers = {}) => fetch(address, { cache: "no-store", headers, signal: AbortSignal.timeout(PATIENCE) });
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const plain = (element) => element?.textContent.trim().replace(/\s+/g, " ") ?? "";
const spoken = "#headline, #happened, [aria-labelledby=challenges] h3, h3:has(.turn)";
const words = () => [...page.querySelectorAll(spoken)].map(plain).filter(Boolean).join(". ").replaceAll("..", ".");
const isLobby = () => page.dataset.state === page.dataset.live;
const stateOf = (element) => element.querySelector("[data-version]")?.dataset ?? {};

// The piece

let fetching = false, wanted = false;

async function refresh() {
  wanted = true;
  if (fetching) return;
  fetching = true;
  while (wanted) {
    wanted = false;
    await fetchPiece().catch(() => fallBack());
  }
  fetching = false;
}

async function fetchPiece() {
  const asked = page.dataset.live;
  const answer = await get(asked);
  if (isLoggedOut(answer)) return location.reload();  // the page says so
  await take(asked, answer, await answer.text());
}

// Their session was ended elsewhere; what is shown here is still theirs.
const isLoggedOut = (answer) => answer.headers.has("Logged-Out") && document.getElementById("waiting");

// Whether the page is still the one that was asked for is decided last: the press that is waited for may have led
// to another game.
async function take(asked, answer, html) {
  while (document.querySelector(UNDER_WAY)) await pause(50);
  if (page?.dataset.live !== asked) return;
  if (answer.status === 404 || answer.redirected) return location.reload();  // not ours to see any more: the page says so
  if (!answer.ok) throw new Error(answer.statusText);
  place(new DOMParser().parseFromString(html, "text/html").body);
}

function place(fresh) {
  const [is, was] = [stateOf(fresh), { ...stateOf(page) }];
  if (parseInt(is.version) < parseInt(was.version)) return;  // it was overtaken by one's own move
  const said = words(), focused = document.activeElement, cells = [...page.querySelectorAll(".cell")];
  const ply = (element) => element.querySelector("[name=ply]")?.value;
  if (ply(fresh) !== ply(page)) document.getElementById("live").classList.remove("is-settled");
  if (parseInt(is.version) > parseInt(was.version)) document.querySelector("[data-lost]")?.remove();  // what came of it is seen
  const stood = places();
  renewChildren(page, fresh);
  settle(stood);
  if (!focused.isConnected) (page.querySelectorAll(".cell")[cells.indexOf(focused)] ?? headline()).focus({ preventScroll: true });
  if (words() !== said) document.getElementById("spoken").textContent = words();
  showTurn();
  if (is.follow && is.follow !== was.follow) location.assign(is.follow);  // the rematch has begun
}

// A finger on its way to one button must not press another that has moved there meanwhile. What is new takes no press
// for half a second by itself (base.css); what moved is told here.
const places = () => new Map([...page.querySelectorAll(".actions > *, .row-press > *")].map((one) => [one, one.getBoundingClientRect().top]));

function settle(stood) {
  for (const [one, top] of places()) {
    if (stood.has(one) && stood.get(one) !== top) one.animate({ pointerEvents: ["none", "none"] }, SECOND / 2);
  }
}

const headline = () => page.querySelector("#headline") ?? document.getElementById("live");

// A tab in the background tells by its title that it is one's turn (and by its icon: waiting.js).
function showTurn() {
  if (page?.querySelector("#headline")) document.title = `${plain(headline())} · Noughts`;
}

// The stream

function listen() {
  source?.close();
  source = new EventSource(page.dataset.events);
  nextTry = Date.now() + tryAfter;
  isBroken = false;
  expect(FIRST_WORD);
  const on = (name, act) => source.addEventListener(name, (event) => { heard(); act(JSON.parse(event.data)); });
  on("hello", ({ version }) => {
    tryAfter = TRY_AGAIN;
    if (isLobby() || version !== stateOf(page).version) refresh();
  });
  on("changed", ({ version, what }) => {
    if (isLobby() || what === "people" || version !== stateOf(page).version) refresh();
  });
  on("waiting", (waiting) => document.dispatchEvent(new CustomEvent("waiting", { detail: waiting })));
  on("beat", () => {});
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) fallBack();
    else if (!isBroken) expect(BREAK);
    isBroken = true;
  };
}

function heard() {
  lastHeard = Date.now();
  isBroken = asking = false;
  clearTimeout(askTimer);
  expect(BEAT);
  showConnection(true);
}

function expect(milliseconds) {
  clearTimeout(silenceTimer);
  silenceTimer = setTimeout(fallBack, milliseconds);
}

// Asking, where there is no stream: refused, held back by a proxy, or broken

function fallBack() {
  clearTimeout(silenceTimer);
  source?.close();
  tryAfter = Math.min(tryAfter * 2, TRY_AGAIN_AT_MOST);
  nextTry = Date.now() + tryAfter;
  if (!page || asking) return;
  asking = true;
  ask();
}

async function ask() {
  clearTimeout(askTimer);
  const asked = page?.dataset.state;
  if (!asked || !asking) return;
  try {
    await askOnce(asked);
    if (isLost) nextTry = 0;
    showConnection(true);
  } catch {
    showConnection(false);
  }
  if (page?.dataset.state !== asked || !asking) return;
  if (!isLost && Date.now() >= nextTry) listen();
  clearTimeout(askTimer);
  if (mayChange()) askTimer = setTimeout(ask, interval());
}

async function askOnce(address) {
  const answer = await get(address, tag ? { "If-None-Match": tag } : {});
  if (isLoggedOut(answer)) return location.reload();
  if (answer.status === 304 && !isLongWait()) return;
  const html = await answer.text();
  if (page?.dataset.state !== address) return;
  if (!isLobby() && (answer.ok || answer.status === 304)) await fetchPiece();
  else await take(page.dataset.live, answer, html);
  if (page?.dataset.state !== address) return;
  tag = answer.headers.get("ETag") ?? "";
  lastPiece = Date.now();
}

// Whoever waits for a player is offered something else after a while; that is time's doing, not a change.
const isLongWait = () => !isLobby() && "waiting" in stateOf(page) && Date.now() - lastPiece > ASK.hidden;
const isOver = () => "over" in stateOf(page);
const mayChange = () => isLobby() || !isOver() || page.querySelector("[action$='/rematch']");

function interval() {
  if (isLost) return ASK.trouble;
  if (document.hidden || isOver()) return ASK.hidden;
  return isLobby() ? ASK.lobby : ASK.game;
}

// What is said while the server is out of reach
const notice = document.createElement("p");
notice.className = "notice notice-error";
notice.setAttribute("role", "status");

function showConnection(isThere) {
  isLost = !isThere;
  if (page) page.dataset.news = isLost ? "lost" : asking ? "asked" : "told";
  if (isThere) notice.remove();
  else if (!notice.isConnected) document.getElementById("live").prepend(notice);
  notice.textContent = isThere ? "" : LOST;
}

// The page comes and goes

function begin() {
  const now = document.querySelector("[data-live]");
  const isAnother = now?.dataset.events !== page?.dataset.events;
  page = now;
  showTurn();
  if (!isAnother) return;
  end();
  tag = "";
  if (page) listen();
}

function end() {
  source?.close();
  asking = false;
  clearTimeout(askTimer);
  clearTimeout(silenceTimer);
}

function catchUp() {
  if (!page) return;
  nextTry = 0;
  if (asking) ask();
  else if (isLost || Date.now() - lastHeard > BEAT / 2) listen();
}

begin();
new MutationObserver(begin).observe(document.body, { childList: true });  // play.js replaces <main>
addEventListener("online", () => {
  lastHeard = 0;  // what a stream over the network of before has said last tells nothing
  catchUp();
});
addEventListener("offline", () => page && showConnection(false));
addEventListener("pagehide", end);
document.addEventListener("visibilitychange", () => { if (!document.hidden) catchUp(); });
