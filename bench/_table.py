"""One line a figure: what was measured, what was wanted, whether it is met. Written down for bench/results.md too."""

from pathlib import Path

RESULTS = Path(__file__).with_name("results.md")
HEAD = """# Results

Ratios measured side by side in one run, on a machine that did other things too: an absolute time would say little.
Each part is written by the command that stands above it. MISSED figures stand as they are.
"""


class Table:
    """The figures of one command."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.rows: list[str] = []

    def add(self, what: str, figure: float, sign: str, wanted: float, note: str = "") -> None:
        met = figure <= wanted if sign == "<=" else figure >= wanted
        word = "met" if met else "MISSED"
        print(f"  {what:<68} {figure:8.2f}   wanted {sign} {wanted:g}: {word}{note and '; ' + note}", flush=True)
        self.rows.append(f"| {what} | {figure:.2f} | {sign} {wanted:g} | {word}{note and '; ' + note} |")

    def write(self) -> None:
        """Put this command's part in the place of the one that was there."""
        title = f"## `{self.command}`"
        part = "\n".join([title, "", "| what | figure | wanted | |", "| --- | ---: | --- | --- |", *self.rows]) + "\n"
        known = RESULTS.read_text() if RESULTS.exists() else HEAD
        head, *parts = known.split("\n## ")
        kept = ["## " + old for old in parts if not ("## " + old).startswith(title)]
        RESULTS.write_text("\n".join([head.rstrip() + "\n", *[old.rstrip() + "\n" for old in kept], part]))
