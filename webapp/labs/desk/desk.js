// The page of the runner: each press is sent to the program on this machine that holds the file.
import { playIn } from "./own_game.js";

const GONE = "The runner does not answer. Start it again in the terminal, and use the address that it prints.";

async function post(what, fields) {
  const answer = await fetch(what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(fields) });
  return answer.json();
}

const lost = (request) => ({ board: request.board, next: null, headline: "Nobody answers", sentence: GONE, is_trouble: true });
playIn(document.getElementById("game"), (request) => post("play", request).catch(() => lost(request)), () => post("stop", {}));
