from tests.ordering import longest_first


def test_each_worker_begins_with_its_share_of_the_long_tests() -> None:
    ordered = longest_first("abCdefGhIjk", 3, str.isupper)
    assert "".join(ordered) == "Cab" "Gdef" "Ihjk"


def test_no_test_is_lost_when_most_are_long() -> None:
    for workers in (1, 2, 3, 8):
        for tests in ("", "A", "ABCDEf", "abcdefGHIJKLMNO"):
            assert sorted(longest_first(tests, workers, str.isupper)) == sorted(tests), (tests, workers)
