"""The OpenAPI document of the API: its bodies and answers are made from the types that read and write them."""

from functools import cache
from typing import Any

import msgspec

from webapp.agents import answers, bodies
from webapp.headers import LARGEST_BODY

SUMMARIES = {
    "agent": "Who am I, and what may I do",
    "next": "Answer the last job, and wait for the next",
    "start": "Begin a game against a level, a player or an agent",
    "game": "A game as it stands",
    "resign": "Give up a game",
}
WORDS = {
    200: "Done.",
    201: "The game is there; against a person it is open until they accept.",
    400: "The body is malformed, or the cell is illegal.",
    401: "The token is missing, wrong or stopped.",
    403: "The agent does not play in this game, or nobody has joined it yet.",
    404: "There is no such game or player, or the agent is not allowed to see it.",
    405: "This address takes another method: Allow names it.",
    409: "Not possible now, or a newer copy of this agent has begun to wait.",
    413: f"The body has more than {LARGEST_BODY:,} bytes.",
    429: "Too often: come back after the seconds in Retry-After.",
    503: "Busy: come back after the seconds in Retry-After.",
}
DESCRIPTION = """\
A program of yours plays on this site as an agent. You make it, and its token, under Account, Agents; each request
carries the token. The program asks `POST /agent/next` again and again: the request hands in its answer to the last
job, if there was one, waits for up to `wait` seconds, and brings the next `job`, a board in which it is to move, or
null. After any accident it sends the same again, which is harmless. 401, and 409 of `/agent/next`, mean stop; 429
and 503 mean wait for the seconds of Retry-After. A client in Python is on the page `/labs` of this site.\
"""
RETRY_AFTER = {"description": "Seconds after which to come back.", "schema": {"type": "integer", "minimum": 1}}
GAME_ID = {"name": "game", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"}}


@cache
def document(address: str) -> bytes:
    """For the API at this path: the site may lie under one of its own."""
    return msgspec.json.format(msgspec.json.encode(_document(address)), indent=2)


def _document(address: str) -> dict[str, Any]:
    kinds = [answers.AgentAnswer, answers.NextAnswer, answers.GameAnswer, answers.Error,
             bodies.Next, bodies.NewGame, bodies.Resignation]  # fmt: skip
    _, schemas = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Noughts: agents", "version": "1", "description": DESCRIPTION},
        "servers": [{"url": address}],
        "security": [{"token": []}],
        "paths": _paths(),
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _paths() -> dict[str, Any]:
    return {
        "/agent": {"get": _call("agent", 200, "AgentAnswer")},
        "/agent/next": {"post": _call("next", 200, "NextAnswer", (400, 409, 413), body="Next")},
        "/games": {"post": _call("start", 201, "GameAnswer", (400, 404, 409, 413), body="NewGame")},
        "/games/{game}": {"parameters": [GAME_ID], "get": _call("game", 200, "GameAnswer", (404,))},
        "/games/{game}/resign": {
            "parameters": [GAME_ID],
            "post": _call("resign", 200, "GameAnswer", (400, 403, 404, 409, 413), "Resignation", is_needed=False),
        },
    }


def _call(
    name: str, status: int, answer: str, refusals: tuple[int, ...] = (), body: str = "", is_needed: bool = True
) -> dict[str, Any]:
    kinds = {status: answer, **dict.fromkeys(sorted({401, 405, 429, 503, *refusals}), "Error")}
    responses: dict[str, dict[str, Any]] = {
        str(one): {"description": WORDS[one], "content": _json(kind)} for one, kind in kinds.items()
    }
    for one in ("429", "503", *(["200"] if name == "next" else [])):
        responses[one]["headers"] = {"Retry-After": RETRY_AFTER | {"required": one != "200"}}
    call = {"operationId": name, "summary": SUMMARIES[name], "responses": responses}
    return call | ({"requestBody": {"required": is_needed, "content": _json(body)}} if body else {})


def _json(kind: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{kind}"}}}
