"""A few at once, in their order; and nobody waits for ever."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from tests.coroutines import run_coroutine
from webapp.serving.turns import Turns

LONG = 60.0


def test_no_more_begin_at_once_than_there_are_turns() -> None:
    at_it, most, done = 0, 0, []

    async def work(turns: Turns, number: int) -> None:
        nonlocal at_it, most
        async with turns.one():
            at_it += 1
            most = max(most, at_it)
            await asyncio.sleep(0)
            at_it -= 1
        done.append(number)

    async def all_of_them() -> None:
        turns = Turns(2, LONG)
        await asyncio.gather(*(work(turns, number) for number in range(9)))

    run_coroutine(all_of_them())
    assert (most, done) == (2, list(range(9)))


def test_whoever_has_waited_for_long_begins_without_a_turn() -> None:
    async def held_for_ever() -> list[str]:
        turns, began = Turns(1, 0.01), []
        async with turns.one():
            for name in ("one", "another"):
                async with turns.one():
                    began.append(name)
        return began

    assert run_coroutine(held_for_ever()) == ["one", "another"]


def test_who_began_without_a_turn_gives_none_back() -> None:
    async def turns_after() -> bool:
        turns = Turns(1, 0.01)
        async with turns.one():
            async with turns.one():
                pass
            return turns._semaphore.locked()

    assert run_coroutine(turns_after()), "the one who has it is still at it"


def test_a_turn_is_free_again_after_an_accident() -> None:
    async def accident(turns: Turns) -> None:
        async with turns.one():
            raise ValueError

    async def after() -> bool:
        turns = Turns(1, LONG)
        accidents: list[Coroutine[Any, Any, None]] = [accident(turns), accident(turns)]
        results = await asyncio.gather(*accidents, return_exceptions=True)
        return [type(result) for result in results] == [ValueError, ValueError] and not turns._semaphore.locked()

    assert run_coroutine(after())
