"""What holds for every name and text: grounding ends well, and what it gave is good."""

from typing import get_args

from hypothesis import given, settings, strategies as st

from chatbot.router.grounding import ground
from chatbot.types import NameKind
from evals.bench.corruptions import Mention, corruptions

KINDS = st.sampled_from(get_args(NameKind))
NAMES = st.sampled_from([
    ("Lądek-Zdrój", "Jaka pogoda w Lądku-Zdroju?"),
    ("Nowy Sącz", "Wracam z Nowego Sącza, pada?"),
    ("Maria Skłodowska", "Co odkryła Maria Skłodowska?"),
    ("równanie różniczkowe", "Podaj przykład równania różniczkowego."),
])


@settings(max_examples=200, deadline=None)
@given(value=st.text(max_size=200), kind=KINDS, texts=st.lists(st.text(), max_size=4))
def test_no_name_and_no_text_breaks_it(value: str, kind: NameKind, texts: list[str]) -> None:
    grounded = ground(value, kind, texts)
    assert grounded.state != "invented" or grounded.value == value


@settings(max_examples=100, deadline=None)
@given(named=NAMES, kind=KINDS, seed=st.integers(0, 1_000))
def test_what_was_grounded_once_is_good(named: tuple[str, str], kind: NameKind, seed: int) -> None:
    name, text = named
    for _, value in corruptions(Mention(name=name), seed):
        found = ground(value, kind, (text,))
        again = ground(found.value, kind, (text,))
        assert found.state == "invented" or (again.value, again.state) == (found.value, "kept")
