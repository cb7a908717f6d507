"""People who play over HTTP and note every answer, as answer_checks.py reads it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

from tests.live_server import Answer, LiveBrowser, LiveServer
from webapp.error_pages import NOT_KNOWN
from webapp.games.services import new_public_id

Log = list[dict[str, Any]]
PATIENCE = 300  # seconds until a server that does not get on counts as stuck


class Player(LiveBrowser):
    """One browser. Whatever it asks for is noted with the answer's status, None if no answer came."""

    def __init__(self, server: LiveServer, number: int, log: Log) -> None:
        super().__init__(server)
        self.number, self.log, self.random = number, log, Random(number)
        self.stopped = threading.Event()
        self.is_unknown = False  # what became of the last post: the site said that it does not know

    def note(self, did: str, **entry: Any) -> None:
        unknown = {"is_unknown": True} if self.is_unknown and "status" in entry else {}
        self.log.append({"client": self.number, "did": did, **entry, **unknown})

    def leave(self) -> None:
        self.tell_secrets()

    def tell_secrets(self, *more: str) -> None:
        for secret in (*self.cookies.values(), *more):
            self.note("tell", secret=secret)

    def ask(self, path: str, fields: dict[str, object]) -> int | None:
        self.is_unknown = False
        try:
            answer = self.post(path, fields)
        except (OSError, HTTPException):
            return None
        self.is_unknown = answer.status == 503 and NOT_KNOWN[0] in answer.text
        return answer.status

    def look(self, game: str) -> Answer | None:
        """The page of a game that goes on."""
        if self.stopped.is_set():
            return None
        try:
            page = self.get(f"/games/{game}")
        except (OSError, HTTPException):
            return None
        if page.status != 200:
            return None
        over = "data-over" in page.text
        self.note("look", game=game, plies=int(page.value_of("ply")), over=over)
        return None if over else page

    def begin(self, token: str) -> str:
        """Start a game under an id that we choose, so that we know it even if the answer is lost."""
        game, cell = new_public_id(), self.random.randrange(9)
        fields = {"csrf_token": token, "public_id": game, "cell": cell}
        fields |= {"level": self.random.choice(["beginner", "perfect"]), "coach": self.random.choice(["yes", "no"])}
        self.note("move", game=game, mark="X", ply=0, cell=cell, status=self.ask("/games", fields))
        return game

    def move(self, game: str, page: Answer, cell: int) -> None:
        ply = int(page.value_of("ply"))
        known = {"version": page.value_of("version")} if 'name="version"' in page.text else {}
        status = self.ask(f"/games/{game}/moves", {"csrf_token": page.csrf_token, "ply": ply, "cell": cell, **known})
        self.note("move", game=game, mark="XO"[ply % 2], ply=ply, cell=cell, status=status)

    def take_back(self, game: str, page: Answer) -> None:
        version = int(page.value_of("version"))
        status = self.ask(f"/games/{game}/take-back", {"csrf_token": page.csrf_token, "version": version})
        self.note("take back", game=game, version=version, status=status)

    def resign(self, game: str, page: Answer, mark: str = "X") -> None:
        status = self.ask(f"/games/{game}/resign", {"csrf_token": page.csrf_token})
        self.note("resign", game=game, mark=mark, status=status)

    def play_game(self) -> None:
        try:
            token = self.get("/").csrf_token
        except (OSError, HTTPException):
            return
        game = self.begin(token)
        while page := self.look(game):
            self.play_turn(game, page)

    def play_turn(self, game: str, page: Answer) -> None:
        """A move; now and then a double click, a form from before, taking back twice at once, or giving up."""
        cells = self.random.sample(page.free_cells, len(page.free_cells))
        if "take-back" in page.text and self.random.randrange(4) == 0:
            self.take_back(game, page)
            self.take_back(game, page)
            return
        self.move(game, page, cells[0])
        whim = self.random.randrange(10)
        if whim == 0:
            self.move(game, page, cells[0])
        elif whim == 1:
            self.move(game, page, cells[-1])
        elif whim == 2:
            self.resign(game, page)


class StrictPlayer(Player):
    """Remembers every kind of answer and of failure, and thinks for a moment before each request: beside players who
    never do a new version takes its time to load. Each second one keeps its connection until the server says that it
    ends, as browsers do.
    """

    def __init__(self, server: LiveServer, number: int, log: Log) -> None:
        super().__init__(server, number, log)
        self.connection, self.keeps, self.met = self.connect(), number % 2 == 0, set[int | str]()

    @contextmanager
    def connected(self) -> Iterator[HTTPConnection]:
        time.sleep(self.random.random() / 5)
        try:
            yield self.connection  # it opens by itself where it is closed
        finally:
            if not self.keeps:
                self.connection.close()

    def request(self, *given: Any, **named: Any) -> Answer:
        try:
            answer = super().request(*given, **named)
        except (OSError, HTTPException) as failure:
            self.met.add(repr(failure))
            self.connection.close()
            raise
        self.met.add(answer.status)
        return answer

    def leave(self) -> None:
        super().leave()
        self.connection.close()


class Crowd:
    """Players who play game after game, each in a thread, until they are told to stop."""

    def __init__(self, server: LiveServer, count: int, kind: type[Player] = Player) -> None:
        self.log: Log = []
        self.players = [kind(server, number, self.log) for number in range(count)]
        self.stopped = threading.Event()
        for player in self.players:
            player.stopped = self.stopped
        self.threads = [threading.Thread(target=self.play, args=[player]) for player in self.players]

    def play(self, player: Player) -> None:
        while not self.stopped.is_set():
            player.play_game()

    def __enter__(self) -> "Crowd":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        for thread in self.threads:
            thread.join()
        for player in self.players:
            player.leave()

    def moves(self, status: int | None) -> int:
        return sum(entry["did"] == "move" and entry["status"] == status for entry in list(self.log))

    def wait_for_moves(self, count: int, status: int = 303) -> None:
        """Until so many more moves were answered so than now."""
        wanted = self.moves(status) + count
        deadline = time.monotonic() + PATIENCE
        while self.moves(status) < wanted:
            assert time.monotonic() < deadline, f"{self.moves(status)} of {wanted} moves were answered by {status}"
            assert any(thread.is_alive() for thread in self.threads), "nobody plays any more"
            self.stopped.wait(0.02)
