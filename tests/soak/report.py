"""The figures of a soak as a table: in the terminal, and in docs/reliability.md between two marks."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.soak.endurance import Outcome
from tests.soak.measures import p99, pages
from webapp.config import ROOT

PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- figures of run.py soak -->\n", "<!-- end of figures -->\n"
MOST_GROWTH, MOST_TIMES = 1.05, 3


def is_good(outcome: Outcome) -> bool:
    """What must hold whatever the machine is busy with; p99 and memory are told as they are."""
    return not (
        outcome.broken or outcome.failed or outcome.bad_statuses or outcome.unanswered or outcome.traceback
    )


def as_text(outcomes: Sequence[Outcome]) -> str:
    return "\n".join(line for outcome in outcomes for line in _lines(outcome))


def write(outcomes: Sequence[Outcome], command: str) -> None:
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    text = f"{before}{BEGIN}\nMade by `{command}`.\n\n{as_text(outcomes)}\n{END}{after}"
    PAGE.write_text(text)


def _lines(outcome: Outcome) -> Iterator[str]:
    calm = p99(outcome.samples, outcome.stretches[0])
    yield f"### {outcome.kind}\n"
    yield f"{outcome.moves:,} acknowledged moves. Promises broken: {len(outcome.broken)}. " + _odd(outcome)
    yield "\n| while | what | p99 of others' pages | beside calm | these pages | what students sent |"
    yield "| --- | --- | ---: | ---: | --- | --- |"
    for stretch in outcome.stretches:
        slow = p99(outcome.samples, stretch)
        times = f"{slow / calm:.1f}" + (" MISSED" if slow > MOST_TIMES * calm and not stretch.is_pause else "")
        read, sent = (_told(counts) for counts in (pages(outcome.samples, stretch), stretch.posts))
        yield f"| {stretch.name} | {stretch.did} | {1000 * slow:.0f} ms | {times} | {read} | {sent} |"
    yield ""
    if outcome.growth is not None:
        missed = " MISSED" if outcome.growth > MOST_GROWTH else ""
        yield f"Memory of a worker, last quarter of undisturbed play beside the second: {outcome.growth:.3f}{missed}.\n"
    if outcome.left_out:
        yield f"Could not be tried on this machine: {', '.join(outcome.left_out)}.\n"
    if outcome.traceback:
        yield f"The server wrote a traceback:\n\n```\n{outcome.traceback}\n```\n"
    for failed in outcome.failed:
        yield f"- FAILED {failed}"
    for name, broken in outcome.broken[:20]:
        yield f"- BROKEN after {name}: {broken}"


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{count} x {status}" for status, count in counts.most_common())


def _odd(outcome: Outcome) -> str:
    odd = outcome.bad_statuses
    told = f"Answers that must not be: {sorted(map(str, odd))}." if odd else "No 5xx but 503 with Retry-After."
    cut = outcome.unanswered
    return f"{told} Somebody got no answer while: {', '.join(cut)}." if cut else told
