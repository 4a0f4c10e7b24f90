from itertools import pairwise

from hypothesis import given, strategies as st

from serving.engines.supervision.mask import Mask

SECRETS = ("aba", "abab", "bcb")
LETTERS = st.text(alphabet="abc-", max_size=60)


def show(text: str, cuts: list[int]) -> bytes:
    """What is shown of ``text`` when it comes in pieces."""
    mask = Mask(SECRETS)
    places = [0, *sorted(cuts), len(text)]
    pieces = [mask.feed(text[begin:end].encode()) for begin, end in pairwise(places)]
    return b"".join([*pieces, mask.end()])


def test_a_secret_is_hidden() -> None:
    assert show("x aba y bcb", []) == b"x *** y ***"


def test_a_secret_in_two_pieces_is_hidden() -> None:
    assert show("xxabayy", [3]) == b"xx***yy"


@given(LETTERS, st.lists(st.integers(0, 60)))
def test_no_secret_is_shown_however_the_text_is_cut(text: str, cuts: list[int]) -> None:
    shown = show(text, [min(cut, len(text)) for cut in cuts])
    assert not [secret for secret in SECRETS if secret.encode() in shown]


@given(LETTERS, st.lists(st.integers(0, 60)))
def test_where_a_text_is_cut_changes_nothing(text: str, cuts: list[int]) -> None:
    assert show(text, [min(cut, len(text)) for cut in cuts]) == show(text, [])


@given(st.binary())
def test_without_secrets_everything_passes(piece: bytes) -> None:
    mask = Mask(["", ""])
    assert mask.feed(piece) + mask.end() == piece
