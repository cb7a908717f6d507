"""The table of a competition of agents: equal to a recount by hand, and what it does not depend on."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from webapp.competitions.agent_ranking import Line, Meeting, Side, ranking
from webapp.competitions.agent_schedule import Entrant
from webapp.competitions.agent_view import seconds
from webapp.competitions.table_rows import points_in_words

BEGINNER, PERFECT = Entrant(1, "beginner"), Entrant(2, "perfect")
ADA, BEA, CY = Entrant(11), Entrant(12), Entrant(13)
FIELD = [BEGINNER, PERFECT, ADA, BEA, CY]


def played(x: Entrant, o: Entrant, halves: int, **of_x: int) -> Meeting:
    return Meeting(Side(x.entry_id, halves, **of_x), Side(o.entry_id, 2 - halves))


def line_of(lines: list[Line], entrant: Entrant) -> Line:
    return next(line for line in lines if line.entrant == entrant)


def ranks(lines: list[Line]) -> list[tuple[int | None, Entrant]]:
    return [(line.rank, line.entrant) for line in lines]


def test_points_come_first_and_reference_players_are_not_ranked() -> None:
    lines = ranking(FIELD, [played(ADA, BEA, 2), played(BEA, CY, 2), played(CY, ADA, 1), played(PERFECT, ADA, 2)])
    assert ranks(lines) == [(1, ADA), (2, BEA), (3, CY), (None, PERFECT), (None, BEGINNER)]
    assert [line.halves for line in lines[:3]] == [3, 2, 1]
    assert line_of(lines, ADA).games == 3


def test_then_what_was_taken_off_the_weak_levels_which_are_no_points_otherwise() -> None:
    lines = ranking(FIELD, [played(ADA, BEA, 1), played(ADA, BEGINNER, 1), played(BEGINNER, BEA, 0)])
    assert ranks(lines)[:2] == [(1, BEA), (2, ADA)]
    bea = line_of(lines, BEA)
    assert (bea.games, bea.halves, bea.weak_games, bea.weak_halves) == (1, 1, 1, 2)


def test_then_the_strength_of_who_took_the_points_off_better_opponents() -> None:
    games = [played(ADA, PERFECT, 1), played(BEA, CY, 1), played(CY, PERFECT, 0), played(CY, PERFECT, 0)]
    lines = ranking(FIELD, games)
    assert ranks(lines)[:3] == [(1, ADA), (2, BEA), (3, CY)]
    assert (line_of(lines, ADA).strength or 0) > (line_of(lines, BEA).strength or 0)


def test_then_time_in_tenths_of_a_second_and_then_nodes() -> None:
    told = played(ADA, PERFECT, 1, microseconds=90_000, nodes=70)
    draw = [told, played(BEA, PERFECT, 1, microseconds=30_000, untold=1)]
    assert ranks(ranking(FIELD, draw))[:2] == [(1, ADA), (2, BEA)]  # who tells no nodes stands behind
    slower = [played(ADA, PERFECT, 1, microseconds=110_000), played(BEA, PERFECT, 1, microseconds=30_000)]
    assert ranks(ranking(FIELD, slower))[:2] == [(1, BEA), (2, ADA)]
    assert [line.decided_by for line in ranking(FIELD, draw)] == ["nodes", "nodes", None, None, None]
    assert [line.decided_by for line in ranking(FIELD, slower)] == ["time", "time", None, None, None]


def test_a_place_tells_what_parts_it_from_the_one_before_and_the_first_from_the_one_behind() -> None:
    def decided(*used: tuple[int, int]) -> list[tuple[int | None, str | None]]:
        """Of agents with equal results, by their tenths of a second and nodes."""
        agents = [Entrant(11 + number) for number in range(len(used))]
        games = [
            played(agent, PERFECT, 1, microseconds=100_000 * tenths, nodes=nodes)
            for agent, (tenths, nodes) in zip(agents, used, strict=True)
        ]
        return [(line.rank, line.decided_by) for line in ranking([PERFECT, *agents], games)[:-1]]

    assert decided((1, 70), (1, 90), (2, 50)) == [(1, "nodes"), (2, "nodes"), (3, "time")]
    assert decided((1, 70), (2, 50), (2, 60)) == [(1, "time"), (2, "time"), (3, "nodes")]
    assert decided((1, 70), (1, 70), (2, 50)) == [(1, "time"), (1, "time"), (3, "time")], "a shared place"
    assert decided((1, 70), (2, 50), (2, 50), (2, 60)) == [(1, "time"), (2, "time"), (2, "time"), (4, "nodes")]
    assert decided((1, 70), (1, 70)) == [(1, None), (1, None)]


def test_games_of_who_is_not_among_the_entrants_do_not_count() -> None:
    """They entered, or were replaced, between two statements."""
    games = [played(ADA, BEA, 2), played(PERFECT, ADA, 1)]
    assert ranking(FIELD[:-1], [*games, played(CY, ADA, 2), played(BEGINNER, CY, 0)]) == ranking(FIELD[:-1], games)


def test_who_is_equal_in_everything_shares_a_rank_and_the_next_is_counted_behind_both() -> None:
    lines = ranking(FIELD, [played(ADA, CY, 2), played(BEA, CY, 2)])
    assert ranks(lines)[:3] == [(1, ADA), (1, BEA), (3, CY)]


def test_faults_are_counted_and_nobody_used_no_time() -> None:
    lines = ranking(FIELD, [played(ADA, BEA, 0, faults=1, microseconds=1)])
    assert line_of(lines, ADA).faults == 1
    assert line_of(lines, ADA).tenths == 1
    assert line_of(lines, BEA).faults == 0


def test_nodes_are_told_only_by_who_tells_them_in_every_game_that_it_could_play() -> None:
    told = played(ADA, BEA, 1, nodes=5)
    assert line_of(ranking(FIELD, [told, played(ADA, CY, 0, faults=1)]), ADA).nodes == 5
    assert line_of(ranking(FIELD, [told, played(ADA, CY, 0, untold=1)]), ADA).nodes is None
    assert line_of(ranking(FIELD, [played(ADA, CY, 0, faults=1)]), ADA).nodes is None, "it told nothing at all"


def test_before_the_first_game_all_are_first() -> None:
    assert ranks(ranking(FIELD, []))[:3] == [(1, ADA), (1, BEA), (1, CY)]


SIDES = st.builds(
    lambda x, o, halves, time, nodes: Meeting(
        Side(x.entry_id, halves, time, nodes or 0, nodes is None), Side(o.entry_id, 2 - halves, time * 2, nodes or 0)
    ),
    st.sampled_from(FIELD), st.sampled_from(FIELD), st.integers(0, 2), st.integers(1, 10**6),
    st.one_of(st.none(), st.integers(1, 500)),
)  # fmt: skip
GAMES = st.lists(SIDES.filter(lambda game: game.x.entry_id != game.o.entry_id), max_size=30)


@given(GAMES, st.integers())
def test_the_order_of_the_games_and_of_the_entries_does_not_matter(games: list[Meeting], seed: int) -> None:
    random = Random(seed)
    again, field = random.sample(games, len(games)), random.sample(FIELD, len(FIELD))
    first, second = ranking(FIELD, games), ranking(field, again)
    assert sorted(first, key=by_entry) == sorted(second, key=by_entry)


@given(GAMES, st.permutations(range(20, 25)))
def test_other_ids_change_no_rank(games: list[Meeting], ids: list[int]) -> None:
    new = {entrant.entry_id: number for entrant, number in zip(FIELD, ids, strict=True)}

    def renamed(side: Side) -> Side:
        return side._replace(entry_id=new[side.entry_id])

    field = [Entrant(new[entrant.entry_id], entrant.level) for entrant in FIELD]
    other = ranking(field, [Meeting(renamed(game.x), renamed(game.o)) for game in games])
    assert {line.entrant.entry_id: line.rank for line in other} == {
        new[line.entrant.entry_id]: line.rank for line in ranking(FIELD, games)
    }


@given(GAMES)
def test_points_equal_a_recount(games: list[Meeting]) -> None:
    for line in ranking(FIELD, games):
        me = line.entrant.entry_id
        weak = [game for game in games if {game.x.entry_id, game.o.entry_id} >= {me, 1} and me != 1]
        mine = [game for game in games if me in (game.x.entry_id, game.o.entry_id)]
        taken = [game.x.halves if game.x.entry_id == me else game.o.halves for game in mine if game not in weak]
        assert (line.games, line.halves) == (len(taken), sum(taken)), line
        assert line.weak_games == len(weak), line


def by_entry(line: Line) -> int:
    return line.entrant.entry_id


@given(GAMES)
def test_games_may_be_added_up_before(games: list[Meeting]) -> None:
    added: dict[tuple[int, int], Meeting] = {}
    for game in games:
        pair = game.x.entry_id, game.o.entry_id
        before = added.get(pair)
        sides = [_sum(one, other) for one, other in zip(before[:2], game[:2], strict=True)] if before else game[:2]
        added[pair] = Meeting(*sides, (before.games if before else 0) + 1)  # type: ignore[misc]
    assert ranking(FIELD, added.values()) == ranking(FIELD, games)


def _sum(one: Side, other: Side) -> Side:
    return Side(one.entry_id, *(sum(pair) for pair in zip(one[1:], other[1:], strict=True)))


def test_whom_time_parts_never_show_the_same_time() -> None:
    told = [seconds(used) for used in (1, 99_999, 6_449_158, 6_500_000, 104_250_000, 104_310_000, 1_234_000_000)]
    assert told == ["under 0.1 s", "under 0.1 s", "6.5 s", "6.5 s", "104.3 s", "104.4 s", "1,234.0 s"]


def test_half_a_point_and_one_are_said_in_the_singular() -> None:
    told = [points_in_words(halves) for halves in (0, 1, 2, 3, 4)]
    assert told == ["0 points", "½ point", "1 point", "1½ points", "2 points"]
