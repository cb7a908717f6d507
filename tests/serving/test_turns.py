"""A few at once, in their order; and nobody waits for ever."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from tests.coroutines import run_coroutine
from webapp.serving.turns import Client, Turns

LONG = 60.0


def anybody() -> Client:
    return Client("203.0.113.7", None)


def test_no_more_begin_at_once_than_there_are_turns() -> None:
    at_it, most, done = 0, 0, []

    async def work(turns: Turns, number: int) -> None:
        nonlocal at_it, most
        async with turns.one(anybody):
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
        async with turns.one(anybody):
            for name in ("one", "another"):
                async with turns.one(anybody):
                    began.append(name)
        return began

    assert run_coroutine(held_for_ever()) == ["one", "another"]


def test_who_began_without_a_turn_gives_none_back() -> None:
    async def turns_after() -> bool:
        turns = Turns(1, 0.01)
        async with turns.one(anybody):
            async with turns.one(anybody):
                pass
            return not turns.is_free

    assert run_coroutine(turns_after()), "the one who has it is still at it"


def test_a_turn_is_free_again_after_an_accident() -> None:
    async def accident(turns: Turns) -> None:
        async with turns.one(anybody):
            raise ValueError

    async def after() -> bool:
        turns = Turns(1, LONG)
        accidents: list[Coroutine[Any, Any, None]] = [accident(turns), accident(turns)]
        results = await asyncio.gather(*accidents, return_exceptions=True)
        return [type(result) for result in results] == [ValueError, ValueError] and turns.is_free

    assert run_coroutine(after())


def order_of(*waiting: str) -> list[str]:
    """In which these get the one turn, each written as network and user."""
    done: list[str] = []

    async def work(turns: Turns, who: str) -> None:
        network, user = who.split()[:2]
        async with turns.one(lambda: Client(network, None if user == "-" else int.from_bytes(user.encode()))):
            done.append(who)
            await asyncio.sleep(0)

    async def all_of_them() -> None:
        turns = Turns(1)
        await asyncio.gather(*(work(turns, who) for who in waiting))
        assert turns.is_free and not turns._waiting

    run_coroutine(all_of_them())
    return done


def test_a_client_on_many_connections_keeps_another_waiting_for_one_of_them() -> None:
    many = [f"home - {number}" for number in range(50)]
    assert order_of(*many, "school ann")[:4] == [*many[:2], "school ann", many[2]]
    in_class = [f"school mallory {number}" for number in range(50)]
    assert order_of(*in_class, "school ann", "school bob")[:5] == [
        *in_class[:2], "school ann", "school bob", in_class[2]
    ]  # fmt: skip


def test_of_two_networks_each_has_every_other_turn_and_none_of_its_users_is_left_out() -> None:
    school = [f"school {name}" for name in ("ann", "bob", "cy", "dan")]
    done = order_of("home -", *[f"home - {number}" for number in range(4)], *school)
    assert [who for who in done if who.startswith("school")] == school
    assert [who.split()[0] for who in done] == ["home", *["home", "school"] * 4]


def test_who_goes_away_while_waiting_leaves_the_turn_to_the_next() -> None:
    async def run() -> list[str]:
        turns, done = Turns(1), []

        async def work(name: str) -> None:
            async with turns.one(anybody):
                done.append(name)

        async with turns.one(anybody):
            goes, is_given, stays = (asyncio.create_task(work(name)) for name in ("goes", "is given", "stays"))
            await asyncio.sleep(0)
            goes.cancel()
            await asyncio.sleep(0)
        is_given.cancel()  # in the moment in which the turn was given to it
        await asyncio.gather(goes, is_given, stays, return_exceptions=True)
        assert turns.is_free
        return done

    assert run_coroutine(run()) == ["stays"]


def test_who_waited_in_vain_takes_no_place_and_no_memory() -> None:
    async def run() -> list[str]:
        turns, done = Turns(1, LONG), []

        async def work(name: str, network: str) -> None:
            async with turns.one(lambda: Client(network, None)):
                done.append(name)

        async with turns.one(anybody):
            gone = [asyncio.create_task(work("gone", "school")) for _ in range(3)]
            stays = asyncio.create_task(work("school", "school"))
            others = [asyncio.create_task(work("home", "home")) for _ in range(3)]
            alone = asyncio.create_task(work("alone", "elsewhere"))
            await asyncio.sleep(0)
            for task in (*gone, alone):
                task.cancel()
            await asyncio.wait([*gone, alone])
            assert [*turns._waiting] == ["school", "home"] and len(turns._waiting["school"][None]) == 1
        await asyncio.gather(stays, *others)
        return done

    assert run_coroutine(run()) == ["school", "home", "home", "home"]


def test_nothing_is_left_of_who_began_without_a_turn() -> None:
    async def run() -> bool:
        turns = Turns(1, 0.01)
        async with turns.one(anybody):
            for _ in range(3):
                async with turns.one(anybody):
                    pass
            return not turns._waiting

    assert run_coroutine(run())
