"""What was answered in practice beside what the searches say now. Knows no database."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from webapp.operations.broken import Broken
from webapp.practice.questions import Question, QuestionKind, question_of


def broken_practice(rows: Iterable[Mapping[str, Any]], deleted: set[int]) -> Iterator[Broken]:
    for row in rows:
        which = f"user {row['user_id']}, {row['kind']} question {row['question']!r}"
        question = _question(row)
        if question is None:
            yield Broken("I32", f"{which} is none that is asked")
        elif bool(row["is_right"]) != question.is_right(row["answer"]):
            yield Broken("I32", f"{which}: the answer {row['answer']} is not judged as the search judges it")
        if row["user_id"] in deleted:
            yield Broken("I33", f"{which} is kept for somebody who is deleted")


def _question(row: Mapping[str, Any]) -> Question | None:
    try:
        return question_of(QuestionKind(row["kind"]), row["question"])
    except (ValueError, KeyError, TypeError):  # a damaged row can hold anything
        return None
