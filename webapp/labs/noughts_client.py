"""Let a program of yours play on Noughts. One file, nothing but Python:

    from noughts_client import play

    def choose(job):
        return job.legal[0]                   # a cell: 0 1 2 / 3 4 5 / 6 7 8

    play("http://192.168.1.20:8000", choose)

`job.position` is the board in reading order, such as "XO.......", `job.mark` your mark, `job.legal` the free cells. The
token of your agent is asked for once and kept outside your folder, so that it never stands in a file that you hand in.
Your program runs here, on your own machine; the site asks it for moves, and never the other way round.
"""
# ruff: noqa: T201  (it speaks to the terminal)

from __future__ import annotations

import getpass
import http.client
import json
import operator
import os
import queue
import random
import re
import socket
import ssl
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

API = "/api/v1"
WAIT = 25  # seconds that the site may hold a request until there is a move to make
LONG = 5  # seconds for a move that the terminal mentions
SOON = 5  # while games are in play: their ends are told soon, too
MOST_LOOKED_AT = 5  # games at a time
PATIENCE = 15  # seconds that a request may take besides
LONGEST_PAUSE = 10.0  # seconds between two attempts to reach the site
LARGEST = 1_000_000  # bytes of an answer
LONGEST, LONGEST_CAUSE = 300, 200  # characters of a sentence
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
TOKEN = re.compile(r"[A-Za-z0-9_-]{40,200}\Z")
RESULTS = ("won", "drawn", "lost")
REASONS = {
    "line": "", "full": "", "resigned": "by resignation", "agreed": "by agreement", "claimed": "by a claim",
    "abandoned": "no move was made in time", "no move": "nobody began in time", "illegal": "by an illegal move",
    "exception": "by an error", "too slow": "out of time", "gone": "one side was gone",
}  # fmt: skip


class Stopped(Exception):
    """The client ends here; the sentence says why."""


class NoMove(Exception):
    """The program gave no move: the game is resigned. The sentence is shown on its page, the trace only here. A cell
    that is not free is sent first: a competition counts an illegal move as such."""

    def __init__(self, sentence: str, trace: str = "", cell: int | None = None) -> None:
        super().__init__(sentence)
        self.trace, self.cell = trace, cell


class Move(NamedTuple):
    """What `choose` may give back in place of a cell, if it wants to tell more."""

    cell: int
    nodes: int | None = None
    microseconds: int | None = None


class Job:
    """It is your turn in a game."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.game, self.ply, self.mark = str(fields["game"]), int(fields["ply"]), str(fields["mark"])
        self.position, self.moves = str(fields["position"]), [int(cell) for cell in fields["moves"]]
        self.legal = [int(cell) for cell in fields["legal"]]
        shape = fields["board"]
        self.rows, self.columns, self.in_a_row = (int(shape[name]) for name in ("rows", "columns", "in_a_row"))
        self.seconds = None if fields.get("seconds") is None else float(fields["seconds"])
        if not NAME.match(self.game) or len(self.position) != self.rows * self.columns:
            raise ValueError

    def after(self, cell: int) -> str:
        return self.position[:cell] + self.mark + self.position[cell + 1 :]

    def result_of(self, cell: int) -> str:
        """How the game ends with this move: won, drawn, or "" if it goes on."""
        cells = self.after(cell)
        if any(all(cells[at] == self.mark for at in line) for line in self.lines()):
            return "won"
        return "" if "." in cells else "drawn"

    def lines(self) -> Iterator[list[int]]:
        """All rows of cells that would win."""
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    steps = [(row + down * i, column + right * i) for i in range(self.in_a_row)]
                    if steps[-1][0] < self.rows and 0 <= steps[-1][1] < self.columns:
                        yield [r * self.columns + c for r, c in steps]


Choose = Callable[[Job], Any]


# --- one request -----------------------------------------------------------------------------------------------------


class SiteResponse(NamedTuple):
    """What came of a request: the status and the fields of the JSON; or, if the site itself did not speak, why not."""

    status: int = 0
    fields: dict[str, Any] | None = None
    trouble: str = ""
    retry_after: float | None = None
    moved_to: str = ""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token goes to the address that was typed and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Site:
    """The API of one site, with one token. An exchange never raises: what came of it is told."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = address, token
        self.host = urlsplit(address).hostname or ""
        is_here = self.host in ("localhost", "127.0.0.1", "::1")
        handlers: list[Any] = [NoRedirect(), *([urllib.request.ProxyHandler({})] if is_here else [])]
        self.opener = urllib.request.build_opener(*handlers)

    def exchange(self, method: str, path: str, body: Any = None, patience: float = PATIENCE) -> SiteResponse:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", "User-Agent": "noughts-client"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.address + API + path, data, headers, method=method)  # noqa: S310  (http)
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        return aside(lambda: self.fetch(request, patience), patience)

    def fetch(self, request: urllib.request.Request, patience: float) -> SiteResponse:
        try:
            try:
                response = self.opener.open(request, timeout=patience)
            except urllib.error.HTTPError as refusal:
                response = refusal
            with response:
                return self.read(response.status, response.headers, response.read(LARGEST))
        except (OSError, http.client.HTTPException, ValueError) as error:
            return SiteResponse(trouble=self.explain(getattr(error, "reason", error)))

    def read(self, status: int, headers: Any, content: bytes) -> SiteResponse:
        try:
            fields = json.loads(content)
        except ValueError:
            fields = None
        if not isinstance(fields, dict) or not (status == 200 or isinstance(fields.get("error"), str)):
            fields = None
        wait = headers.get("Retry-After") or ""
        retry_after = min(300.0, float(wait)) if re.match(r"\d{1,9}(\.\d{1,9})?\Z", wait) else None
        trouble = "" if fields else f"{self.address} answers with something else ({status})."
        if b"HTTPS port" in content[:2000]:
            trouble = self.other_scheme("https")
        elif fields and isinstance(fields.get("error"), str):
            trouble = clean(fields["error"])
        return SiteResponse(status, fields, trouble, retry_after, headers.get("Location") or "")

    def explain(self, error: Any) -> str:
        """Why nothing came, in a sentence."""
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"The certificate of {self.host} cannot be trusted: {clean(error.verify_message)}."
        if isinstance(error, ssl.SSLError) and "WRONG_VERSION" in str(error):
            return self.other_scheme("http")
        if isinstance(error, ssl.SSLError):
            return f"{self.host} does not speak https as it should ({clean(str(error.reason))}). Is it http?"
        if isinstance(error, socket.gaierror):
            return f"No machine called {self.host} was found. Is the address right, and is there a network?"
        if isinstance(error, ConnectionRefusedError):
            return f"Nothing answers at {self.address}. Is the address right, with its port, and is the site running?"
        if isinstance(error, TimeoutError):
            return f"{self.address} does not answer."
        if isinstance(error, (http.client.BadStatusLine, ConnectionError)):
            return f"{self.address} ended the connection."
        return f"{self.address} cannot be reached: {clean(str(error))}."

    def other_scheme(self, scheme: str) -> str:
        return f"The site speaks {scheme}. Type {scheme}{self.address[self.address.index('://') :]}"


def aside(work: Callable[[], SiteResponse], patience: float) -> SiteResponse:
    """In a thread, so that Ctrl-C is heard at once (on Windows nothing interrupts a socket), and that neither an answer
    which comes byte by byte nor a machine that was asleep keeps us waiting."""
    answers: queue.Queue[SiteResponse] = queue.Queue()
    threading.Thread(target=lambda: answers.put(work()), daemon=True).start()
    until = time.monotonic() + patience
    seen = time.time()
    while time.monotonic() < until and -60 < time.time() - seen < 20:
        seen = time.time()
        try:
            return answers.get(timeout=0.5)
        except queue.Empty:
            continue
    return SiteResponse(trouble="No answer came.")


# --- playing ---------------------------------------------------------------------------------------------------------


class Game:
    """One game as the terminal tells of it."""

    def __init__(self, number: int, job: Job) -> None:
        self.number, self.job, self.opponent = number, job, ""
        self.fault: NoMove | None = None
        self.is_resigned = False


class Client:
    """Asks for jobs and answers them, one request at a time, until it is stopped."""

    def __init__(self, site: Site, name: str, choose: Choose) -> None:
        self.site, self.name, self.choose = site, name, choose
        self.games: dict[str, Game] = {}
        self.results: Counter[str] = Counter()
        self.number = self.quiet = 0
        self.looked_at, self.is_lost = 0.0, False

    def run(self) -> None:
        answer: dict[str, Any] | None = None
        while True:
            job = self.next(answer)
            answer = self.answer(job) if job else None

    def next(self, answer: dict[str, Any] | None) -> Job | None:
        """Hand the last answer in and ask for the next job. Sent again after any accident: that is harmless."""
        game = self.games[answer["game"]] if answer else None
        result = game.job.result_of(answer["cell"]) if game and answer and not game.fault else ""
        wait = 0 if result else min(WAIT, SOON << self.quiet) if self.games else WAIT
        began = time.monotonic()
        came = self.insist("POST", "/agent/next", {"wait": wait, **({"answer": answer} if answer else {})}, wait)
        if came.status == 400 and game:
            self.resign(game, game.fault or NoMove(came.trouble))
            return None
        if came.status == 409:
            raise Stopped("A newer copy of this agent has started. This one ends.")
        if came.status != 200 or not came.fields:
            raise Stopped(came.trouble)
        job = Job(came.fields["job"]) if came.fields["job"] else None
        self.quiet = 0 if job or len(self.games) > MOST_LOOKED_AT else min(3, self.quiet + 1)
        if game and answer and result and came.fields["accepted"]:
            self.tell_end(game, result, game.job.after(answer["cell"]))
        elif not job or time.monotonic() - self.looked_at > SOON:
            self.look_back(job)
        if not job and time.monotonic() - began < wait / 2:  # a site that cannot hold a request
            time.sleep(came.retry_after or random.uniform(1, 2))  # noqa: S311
        return job

    def insist(self, method: str, path: str, body: Any = None, wait: int = 0) -> SiteResponse:
        """Try until the site itself speaks. The first attempts come soon: most accidents are short."""
        attempt = 0
        while True:
            came = self.site.exchange(method, path, body, wait + PATIENCE)
            if came.status == 401 and came.fields:
                raise Stopped("The site no longer takes this token: it was stopped, or a new one was made.")
            if came.fields and came.status < 500 and came.status != 429 and is_sound(path, came):
                break
            pause = random.uniform(0.5, 1) * min(LONGEST_PAUSE, 0.25 * 2 ** min(attempt, 10))  # noqa: S311
            pause += came.retry_after or 0
            if not self.is_lost and (attempt or pause > 1):  # nobody needs to hear of one hiccup
                self.is_lost = True
                say(f"{came.trouble or 'The answer was damaged.'} Trying again until it works; Ctrl-C ends it.")
            time.sleep(pause)
            attempt += 1
            if body and "wait" in body:
                body, wait = {**body, "wait": 0}, 0  # so that one soon knows that the site is back
        if self.is_lost:
            say("The site is back.")
        self.is_lost = False
        return came

    def answer(self, job: Job) -> dict[str, Any] | None:
        game = self.games.get(job.game) or self.new_game(job)
        game.job, game.fault = job, None
        try:
            move = self.ask(job)
        except NoMove as fault:
            if fault.cell is not None and not game.is_resigned:
                game.fault = fault
                return {"game": job.game, "ply": job.ply, "cell": fault.cell}
            self.resign(game, fault)
            return None
        if (seconds := (move.microseconds or 0) / 1e6) > LONG:
            say(f"Game {game.number}: this move took {seconds:.0f} seconds.")
        told = {"nodes": move.nodes, "microseconds": move.microseconds}
        answer = {"game": job.game, "ply": job.ply, "cell": move.cell}
        return {**answer, **{name: value for name, value in told.items() if isinstance(value, int) and value > 0}}

    def ask(self, job: Job) -> Move:
        """The program's move, if it is one."""
        began = time.perf_counter()
        try:
            chosen = self.choose(job)
        except NoMove:
            raise
        except Exception as error:
            raise crashed(error) from error
        microseconds = max(1, round(1e6 * (time.perf_counter() - began)))
        move = chosen if isinstance(chosen, Move) else Move(chosen)
        is_number = hasattr(move.cell, "__index__") and not isinstance(move.cell, bool)  # numpy's are numbers, too
        if not is_number or move.cell not in job.legal:
            free = ", ".join(map(str, job.legal))
            where = f" ({place_of(self.choose)})" if hasattr(self.choose, "__code__") else ""
            cell = operator.index(move.cell) if is_number and abs(operator.index(move.cell)) < 1000 else None
            raise NoMove(f"It chose {clean(repr(move.cell))}{where}. The free cells are {free}.", cell=cell)
        return Move(operator.index(move.cell), move.nodes, move.microseconds or microseconds)

    def new_game(self, job: Job) -> Game:
        self.number += 1
        game = self.games[job.game] = Game(self.number, job)
        game.opponent = opponent_in(self.state(game), job.mark)
        against = f" against {game.opponent}" if game.opponent else ""
        say(f"Game {game.number}: {self.name} is {job.mark}{against}.  {self.site.address}/games/{job.game}")
        return game

    def state(self, game: Game, patience: float = PATIENCE) -> dict[str, Any]:
        """What the site says of the game; nothing if it does not: it is only for the terminal, and holds up no move."""
        came = self.site.exchange("GET", f"/games/{game.job.game}", patience=patience)
        return came.fields if came.fields and came.status in (200, 404) else {}

    def look_back(self, job: Job | None) -> None:
        """Tell of the games that have ended, a few at a time. Where there is a move to make, the game goes on."""
        self.looked_at = time.monotonic()
        for game in [game for game in self.games.values() if not job or game.job.game != job.game][:MOST_LOOKED_AT]:
            self.games[game.job.game] = self.games.pop(game.job.game)  # to the end: the others come first next time
            self.tell_if_over(game, self.state(game))

    def look_last(self) -> None:
        """Before good-bye: a game that has ended meanwhile is not called one that goes on. Not for long, and a second
        Ctrl-C ends it."""
        until = time.monotonic() + SOON
        with suppress(KeyboardInterrupt):
            for game in [] if self.is_lost else list(self.games.values()):
                if not (state := self.state(game, until - time.monotonic())):
                    break
                self.tell_if_over(game, state)

    def tell_if_over(self, game: Game, state: dict[str, Any]) -> None:
        if state.get("status") == "finished":
            winner, reason = state.get("winner"), str(state.get("reason"))
            result = "drawn" if not winner else "won" if winner == game.job.mark else "lost"
            self.tell_end(game, result, str(state.get("board")), REASONS.get(reason, clean(reason)))
        elif "error" in state or state.get("status") not in (None, "playing"):
            self.tell_end(game, "cancelled", game.job.position)

    def tell_end(self, game: Game, result: str, position: str, why: str = "") -> None:
        del self.games[game.job.game]
        self.results[result] += 1
        against = f" against {game.opponent}" if game.opponent else ""
        say(f"Game {game.number}: {result}{against}{why and ', ' + why}.  {drawn(position, game.job.columns)}")

    def resign(self, game: Game, fault: NoMove) -> None:
        """Say what went wrong and where, give this game up with the cause, and go on with the others."""
        board = drawn(game.job.position, game.job.columns)
        say(f"Game {game.number}: no move as {game.job.mark} on {board}, so the game is resigned.")
        show(indented(f"{fault.trace.rstrip()}\n{fault}".strip()))
        came = self.insist("POST", f"/games/{game.job.game}/resign", {"cause": cause_of(fault)})
        if came.status == 200 and came.fields:
            self.tell_if_over(game, came.fields)
        if game.is_resigned:  # and the same job came again: not in a hurry
            time.sleep(SOON)
        game.is_resigned = True

    def good_bye(self) -> str:
        counts = ", ".join(f"{self.results[result]} {result}" for result in RESULTS)
        left = f" {len(self.games)} not over yet: start again to go on." if self.games else ""
        if any(game.job.seconds is not None for game in self.games.values()):
            left += " In a competition the clock runs on, so do it at once."
        return f"Good-bye. Games: {counts}.{left}"


def is_sound(path: str, came: SiteResponse) -> bool:
    """What says 200 must be what was asked for: a proxy or a log-in page of a network may answer, too."""
    fields: Any = came.fields
    try:
        if path == "/agent/next" and came.status == 200:
            return fields["accepted"] in (True, False, None) and bool(fields["job"] is None or Job(fields["job"]))
        return True
    except (KeyError, TypeError, ValueError):
        return False


def opponent_in(state: dict[str, Any], mark: str) -> str:
    players = state.get("players")
    name = players.get("O" if mark == "X" else "X") if isinstance(players, dict) else None
    return clean(name) if isinstance(name, str) else ""


def crashed(error: Exception) -> NoMove:
    """An error of the program, at its last line that is not Python's own."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    python = str(Path(os.__file__).parent)
    own = [frame for frame in frames if not frame.filename.startswith((python, "<"))] or frames
    where = f" (line {own[-1].lineno} of {Path(own[-1].filename).name})" if own else ""
    trace = ["Traceback (most recent call last):\n", *traceback.format_list(frames)]
    trace += traceback.format_exception_only(type(error), error)
    return NoMove(f"An error, {type(error).__name__}: {clean(str(error))}{where}.", "".join(trace))


def place_of(function: Any) -> str:
    return f"line {function.__code__.co_firstlineno} of {Path(function.__code__.co_filename).name}"


# --- the terminal and the token --------------------------------------------------------------------------------------


def say(text: str) -> None:
    show(time.strftime("%H:%M:%S ") + text)


def show(text: str) -> None:
    letters = sys.stdout.encoding or "ascii"  # an older Windows terminal does not know every letter
    print(text.encode(letters, "replace").decode(letters), flush=True)


def clean(text: str, longest: int = LONGEST) -> str:
    """What comes from elsewhere, on one line, short, and without codes that move the cursor."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= longest else line[: longest - 3] + "..."


def cause_of(fault: NoMove) -> str:
    """What the page of the game can show of it: whole sentences, if they fit. The terminal shows all."""
    text = clean(str(fault), 10_000)
    end = text.rfind(". ", 0, LONGEST_CAUSE)
    return text[: end + 1] if len(text) > LONGEST_CAUSE and end > 0 else clean(text, LONGEST_CAUSE)


def drawn(position: str, columns: int) -> str:
    return clean("/".join(position[at : at + columns] for at in range(0, len(position), columns)))


def indented(text: str) -> str:
    return "\n".join("         " + line for line in text.splitlines())


def folder_of_settings() -> Path:
    """Where this system keeps the settings of a person's programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "noughts"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "noughts"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "noughts"


class Tokens:
    """The tokens that were typed, by site and agent, in a file that only this person can read."""

    def __init__(self) -> None:
        self.file = folder_of_settings() / "tokens.json"

    def all(self) -> dict[str, str]:
        try:
            kept = json.loads(self.file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return {key: value for key, value in kept.items() if isinstance(value, str)} if isinstance(kept, dict) else {}

    def change(self, key: str, token: str | None) -> None:
        kept = {name: value for name, value in {**self.all(), key: token}.items() if value}
        new = self.file.with_name(f"tokens-{os.getpid()}.json")
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(kept, file)
            new.replace(self.file)
        except OSError as trouble:
            say(f"The token could not be kept ({clean(str(trouble))}); you will be asked again.")


def site_address(text: str) -> str:
    """The address of a site as people type it, or a Stopped that says what is wrong with it."""
    address = text.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) and address.isprintable()
    except ValueError:
        is_good = False
    if not is_good or parts.query or parts.fragment or parts.username or " " in address:
        raise Stopped("The address of a site looks like http://192.168.1.20:8000 or https://games.school.example.")
    return address


def asked_token(site: str) -> str:
    if not (sys.stdin and sys.stdin.isatty()):
        raise Stopped("There is no token. Set the variable NOUGHTS_TOKEN, or start this in a terminal to be asked.")
    print(f"The token of your agent is needed once. It was shown when you made the agent: {site}/account/agents")
    print("To see what you type, as from a printed card, press Enter first.")
    while True:
        try:
            hidden = getpass.getpass("Paste it here; it stays invisible: ").strip()
            token = in_groups(hidden or input("Type it here; hyphens may be left out: "))
        except EOFError:
            raise Stopped("There is no token.") from None
        if TOKEN.match(token):
            return token
        print("That is not a token: it has 43 characters, in groups of three. (On Windows a right click pastes.)")


def in_groups(typed: str) -> str:
    """A token as the site writes it, however somebody typed it from a card."""
    letters = re.sub(r"[\s-]", "", typed).lower()
    is_of_card = len(letters) == 33 and re.sub(r"\W", "", letters) == letters
    return "-".join(letters[at : at + 3] for at in range(0, 33, 3)) if is_of_card else typed.strip()


def connected(address: str, token: str) -> tuple[Site, dict[str, Any]]:
    """The site, and what it says about the agent; Stopped with a sentence if there is no such thing."""
    site = Site(address, token)
    while True:
        came = site.exchange("GET", "/agent")
        if came.status == 200 and came.fields and isinstance(came.fields.get("name"), str):
            return site, came.fields
        if came.status == 401 and came.fields:
            raise BadToken(f"The site does not take this token. Make a new one at {address}/account/agents")
        if came.status in (429, 503):
            say(f"{came.trouble} Trying again; Ctrl-C ends it.")
            time.sleep(came.retry_after or random.uniform(1, 2))  # noqa: S311
            continue
        moved_to, path, _ = came.moved_to.partition(API + "/agent")
        if path and moved_to.startswith(("http://", "https://")):
            raise Stopped(f"The site has another address: {clean(moved_to)}  Type that one.")
        if came.status == 403 and came.fields:
            raise Stopped(came.trouble)
        if came.status:
            raise Stopped(
                came.trouble if "Type http" in came.trouble else
                f"There is something at {address}, but no Noughts with agents ({came.status}). "
                "Type the address of its first page, as your browser shows it."
            )  # fmt: skip
        raise Stopped(came.trouble)


class BadToken(Stopped):
    """The site does not know the token."""


def log_in(address: str, agent: str, token: str | None) -> tuple[Site, dict[str, Any]]:
    """With the token given, of the environment, or kept; or else ask for one, and keep what the site has taken."""
    if given := token or os.environ.get("NOUGHTS_TOKEN", "").strip():
        return connected(address, given)
    tokens, key = Tokens(), f"{address} {agent}".strip()
    if kept := tokens.all().get(key):
        try:
            return connected(address, kept)
        except BadToken as refusal:
            tokens.change(key, None)
            say(str(refusal))
    else:
        with suppress(BadToken):  # nobody types a token for an address that is wrong
            connected(address, "")
    typed = asked_token(address)
    found = connected(address, typed)
    tokens.change(key, typed)
    return found


def play(site: str, choose: Choose, token: str | None = None, agent: str = "") -> int:
    """Play on the site until Ctrl-C: `choose(job)` gives a cell of job.legal, or a Move. An error in it costs that game
    and no other. `agent` is a word that tells the kept tokens of several agents apart. Gives an exit code."""
    client: Client | None = None
    try:
        found, who = log_in(site_address(site), agent, token)
        client = Client(found, clean(who["name"]), choose)
        say(f"Connected to {found.address} as {client.name}. Ctrl-C ends it.")
        say(f"Waiting for games. To play against it, open {found.address}/lobby")
        client.run()
    except KeyboardInterrupt:
        print()
        if client:
            client.look_last()
        say(client.good_bye() if client else "Good-bye.")
        return 0
    except Stopped as reason:
        say(str(reason))
    return 1
