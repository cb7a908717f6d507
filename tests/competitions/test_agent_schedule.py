"""The schedule of a competition of agents: who plays whom, from where, how often, and with which luck."""

from collections import Counter
from itertools import combinations

from webapp.competitions.agent_schedule import BASELINE, WEAK, Entrant, PlannedGame, games_of
from webapp.tictactoe import openings

REFERENCES = [Entrant(number, level) for number, level in enumerate(BASELINE, 1)]


def schedule(agents: int, entrants: list[Entrant] | None = None) -> list[PlannedGame]:
    """As it comes about when one after the other enters."""
    there: list[Entrant] = []
    games = []
    for entrant in entrants or REFERENCES + [Entrant(number) for number in range(101, 101 + agents)]:
        games += games_of(entrant, there, openings())
        there.append(entrant)
    return games


def test_all_against_all_with_both_marks_from_each_opening() -> None:
    games = schedule(5)
    agents, levels = range(101, 106), range(1, 6)
    pairs = [*combinations(agents, 2), *((level, agent) for level in levels for agent in agents)]
    wanted = Counter((x, o, one) for pair in pairs for x, o in (pair, pair[::-1]) for one in openings())
    assert Counter((game.x, game.o, game.opening) for game in games) == wanted
    assert {game.opening: game.round for game in games} == {one: number for number, one in enumerate(openings(), 1)}


def test_reference_players_do_not_play_each_other() -> None:
    assert schedule(0) == []


def test_the_order_of_entering_does_not_change_the_games() -> None:
    entrants = [*REFERENCES, Entrant(101), Entrant(102)]
    assert sorted(schedule(0, entrants)) == sorted(schedule(0, entrants[::-1]))


def test_every_agent_meets_the_same_luck() -> None:
    games = schedule(3)
    levels = {entrant.entry_id: entrant.level for entrant in REFERENCES}
    seeds: dict[object, set[int | None]] = {}
    for game in games:
        seeds.setdefault((levels.get(game.x), levels.get(game.o), game.opening), set()).add(game.seed)
    assert all(len(found) == 1 for found in seeds.values())
    against_levels = [seed for (x, o, _), found in seeds.items() if x or o for seed in found]
    assert len(set(against_levels)) == len(against_levels) == 2 * len(BASELINE) * len(openings())
    assert all(game.seed is None for game in games if game.x > 100 and game.o > 100)


def test_a_class_of_thirty_plays_in_a_lesson() -> None:
    """Some 7,000 games of three or four moves a side; on two openings a third of that."""
    assert len(schedule(30)) == (435 + 30 * len(BASELINE)) * 2 * len(openings()) == 7_020


def test_the_weak_levels_are_among_the_reference_players() -> None:
    assert set(WEAK) < set(BASELINE)
