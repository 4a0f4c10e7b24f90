import pytest
from pydantic import SecretStr

from serving.http.proxied_headers import request_headers, with_key
from serving.page.paths import is_personal

KEY = SecretStr("zw_1_2")


def sent(key: SecretStr | None, *own: tuple[bytes, bytes]) -> dict[str, str]:
    """What the page is sent of a request with ``own`` headers."""
    scope = {
        "headers": [(b"host", b"czat.example"), *own],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "request_id": "r1",
    }
    return dict(request_headers(with_key(scope, key)))


def test_the_operators_key_goes_with_whoever_sends_none() -> None:
    assert sent(KEY)["authorization"] == "Bearer zw_1_2"
    assert "authorization" not in sent(None)


@pytest.mark.parametrize("name", [b"authorization", b"x-api-key"])
def test_a_browsers_own_key_goes_before_it(name: bytes) -> None:
    headers = sent(KEY, (name, b"own"))
    assert headers[name.decode()] == "own"
    assert "Bearer zw_1_2" not in headers.values()


def test_the_operators_key_opens_no_page_that_makes_keys() -> None:
    personal = ("/keys", "/en/keys", "/admin", "/en/admin/users")
    assert [path for path in personal if not is_personal(path)] == []
    assert not any(map(is_personal, ("/", "/en", "/usage", "/en/usage", "/gradio_api/queue/join")))
