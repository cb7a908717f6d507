// Tells in the head, the title and the icon what waits for this person, on every page: games, and a question to their class. A page that is kept
// up to date anyway hears it over its own stream (live.js); any other opens one for this alone. Where none comes
// through, the page asks now and then, while it is looked at.

const SECOND = 1000;
const SILENCE = 40 * SECOND, ASK_EVERY = 15 * SECOND, TRY_AGAIN = 60 * SECOND;
const IN_TITLE = /^\((\d+\+?|\?)\) /;

let source = null;  // a stream for this alone
let lastHeard = 0, nextTry = 0;
let told = null;  // what was told last, and to which sign
let address = "";

const sign = () => document.getElementById("waiting");  // is not there when somebody has logged out meanwhile
const asked = () => document.getElementById("asked");
const livePage = () => document.querySelector("[data-live]");
const isTold = () => (livePage() ? livePage().dataset.news === "told" : Date.now() - lastHeard < SILENCE);

function show(waiting) {
  const [link, before] = [sign(), sign().textContent];
  link.firstElementChild.textContent = waiting.count;
  link.lastElementChild.textContent = waiting.words;
  link.href = waiting.game ? `${link.dataset.games}/${waiting.game}` : link.dataset.lobby;
  link.hidden = waiting.count === "0";
  const isNews = !link.hidden && link.textContent !== before;
  if (isNews && !document.getElementById("lobby")) {  // the lobby says itself who challenges
    say(`${waiting.count} ${waiting.words}.`);
  }
  if (asked()) showAsked(waiting.classroom);
  mark();
}

function showAsked(classroom) {
  const wasHidden = asked().hidden;
  asked().hidden = !classroom;
  asked().href = `${asked().dataset.classrooms}/${classroom ?? ""}#question`;
  if (classroom && wasHidden) say(`${asked().lastElementChild.textContent}.`);
}

function say(words) {
  document.getElementById("spoken").textContent = words;
}

function tell(waiting) {
  told = waiting;
  if (sign()) show(waiting);
}

// Other scripts write the title; the number is put before what they wrote. A tab in the background shows another icon.
function mark() {
  const link = [asked(), sign()].find((one) => one && !one.hidden);
  const count = link ? `(${link.firstElementChild.textContent}) ` : "";
  const title = count + document.title.replace(IN_TITLE, "");
  if (document.title !== title) document.title = title;
  const icon = document.querySelector("link[rel=icon]");
  icon.dataset.usual ??= icon.getAttribute("href");
  const isWaitedFor = count || document.querySelector("[data-live] > [data-my-turn]");
  icon.href = isWaitedFor && document.hidden ? icon.dataset.turn : icon.dataset.usual;
}

function listen() {
  nextTry = Date.now() + TRY_AGAIN;
  source = new EventSource(sign().dataset.events);
  const on = (name, act) => source.addEventListener(name, (event) => { lastHeard = Date.now(); act(JSON.parse(event.data)); });
  on("hello", () => {});
  on("beat", () => {});
  on("waiting", tell);
  source.onerror = () => { lastHeard = 0; };  // it tries again by itself, unless it was refused
}

function hangUp() {
  source?.close();
  source = null;
  lastHeard = 0;
}

async function ask() {
  if (!sign() || document.hidden || isTold()) return;
  hangUp();
  if (!livePage() && Date.now() >= nextTry) listen();
  const answer = await fetch(sign().dataset.state);
  show(await answer.json());
}

const askQuietly = () => ask().catch(() => {});  // no network, or nobody is logged in any more: the page stays as it is

// play.js replaces the head, perhaps by one that was drawn before the last news.
function begin() {
  const isSame = sign()?.dataset.state === address;
  address = sign()?.dataset.state;
  if (isSame && address && told && isTold()) show(told);
  else told = null;
  mark();
  if (livePage() || !address) hangUp();
  else if (!source && Date.now() >= nextTry) listen();
}

begin();
setInterval(askQuietly, ASK_EVERY);
new MutationObserver(begin).observe(document.body, { childList: true });
new MutationObserver(mark).observe(document.querySelector("title"), { childList: true });
document.addEventListener("waiting", (event) => tell(event.detail));
document.addEventListener("visibilitychange", () => { mark(); askQuietly(); });
addEventListener("pagehide", hangUp);
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  nextTry = 0;
  askQuietly();
});
