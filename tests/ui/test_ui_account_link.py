"""Whoever is signed in finds the way out on the page; with a key there is none."""

import pytest

from ui.credential import is_signed_in
from ui.look.shell import ACCOUNT, draw_closing
from ui.texts import POLISH


@pytest.mark.parametrize(
    ("headers", "is_so"),
    [
        ([(b"authorization", b"Bearer zws.kid.1")], True),
        ([(b"authorization", b"Bearer zw_1_2")], False),
        ([(b"x-other", b"Bearer zws.kid.1")], False),
        ([], False),
    ],
)
def test_a_session_is_told_from_a_key(headers: list[tuple[bytes, bytes]], is_so: object) -> None:
    assert is_signed_in({"headers": headers}) == is_so


def test_the_way_out_stays_in_the_tab() -> None:
    assert '<a href="/account">Konto i wylogowanie</a>' in draw_closing(POLISH, (ACCOUNT,))
    assert "/account" not in draw_closing(POLISH, ("privacy",))
