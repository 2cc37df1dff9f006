"""Numbers that a program sent are found like those of a set or a dict, and are in none."""

from hypothesis import given
from hypothesis import strategies as st

from grader.judging.kinds.lab_rounds import parse_kept
from grader.judging.numbers_sent import Held, KeySet

NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5)


@given(st.lists(NUMBERS), st.lists(NUMBERS))
def test_keys_are_found_as_in_a_set(keys: list[int], others: list[int]) -> None:
    known = KeySet(keys)
    assert [key in known for key in keys + others] == [key in keys for key in keys + others]
    assert [bool(known.number(key)) for key in others] == [key in keys for key in others]
    assert len({known.number(key) for key in keys}) == len(set(keys))


@given(st.dictionaries(st.integers(0, 30), NUMBERS))
def test_an_array_is_read_as_a_dict(values: dict[int, int]) -> None:
    held = Held(sorted(values), [values[place] for place in sorted(values)])
    assert dict(held) == values and len(held) == len(values)
    for place in range(-1, 32):
        assert held.get(place, 0) == values.get(place, 0)
        assert (place in held) == (place in values)


def test_no_frame_becomes_a_dict() -> None:
    """In one, a program could choose places that take the judge hours."""
    kept = parse_kept({"keys": "", "heads": "", "nexts": ""})
    assert kept is not None
    assert not any(isinstance(each, dict) for each in (kept.keys, kept.heads, kept.nexts))
