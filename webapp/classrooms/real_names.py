"""Names of people, as "O'Brien, Zoë" or as "Zoë O'Brien". Standard library only."""

import unicodedata


def _parts(name: str) -> tuple[str, str]:
    """The first names and the last name; without a comma the last word is the last name."""
    last, comma, first = name.casefold().partition(",")
    if comma and "," not in first:
        return first.strip(), last.strip()
    first, _, last = name.casefold().rpartition(" ")
    return first.strip(), last.strip()


def same_name(name: str) -> str:
    """The same text for both ways to write a name."""
    return " ".join(filter(None, _parts(name)))


def by_last_name(name: str) -> tuple[str, str]:
    """What a list is sorted by, so that both ways to write a name stand where they are looked for, and Å with A."""
    letters = unicodedata.normalize("NFKD", name)
    first, last = _parts("".join(letter for letter in letters if not unicodedata.combining(letter)))
    return last, first
