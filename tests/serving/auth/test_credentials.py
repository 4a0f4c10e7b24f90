import pytest
from scripted.tables import every_row

from chatbot.errors import InvalidRequest
from serving.auth.credentials import read_credential

KEY, OTHER = b"zw_1_2", b"zw_3_4"


@every_row(
    "headers",
    [
        [(b"authorization", b"Bearer " + KEY)],
        [(b"authorization", b"bEARER " + KEY)],
        [(b"authorization", b" Bearer   " + KEY + b" ")],
        [(b"x-api-key", KEY)],
        [(b"x-api-key", KEY), (b"authorization", b"Bearer " + KEY)],
        [(b"authorization", b"bearer " + KEY), (b"authorization", b"Bearer " + KEY)],
    ],
)
def test_a_key_is_found_in_either_header(headers: list[tuple[bytes, bytes]]) -> None:
    assert read_credential([(b"host", b"x"), *headers, (b"accept", b"*/*")]) == "zw_1_2"


@every_row(
    "headers",
    [
        [(b"authorization", b"Bearer " + KEY), (b"x-api-key", OTHER)],
        [(b"authorization", b"Bearer " + KEY), (b"x-api-key", b"")],
        [(b"authorization", b"Bearer"), (b"x-api-key", KEY)],
        [(b"authorization", b"Bearer " + KEY), (b"authorization", b"Bearer " + OTHER)],
        [(b"x-api-key", KEY), (b"x-api-key", OTHER)],
        [(b"authorization", b"Basic " + KEY), (b"x-api-key", KEY)],
    ],
)
def test_two_that_differ_are_refused(headers: list[tuple[bytes, bytes]]) -> None:
    with pytest.raises(InvalidRequest, match="different keys"):
        read_credential(headers)


def test_another_scheme_is_no_key() -> None:
    assert read_credential([(b"authorization", b"Basic " + KEY)]) == "Basic zw_1_2"


def test_without_headers_there_is_none() -> None:
    assert read_credential([(b"host", b"x")]) is None
