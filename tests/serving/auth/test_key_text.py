from serving.auth.key_text import KeyText
from serving.storage import Keyring
from serving.storage.secret import RootSecret

ROOTS = [RootSecret.from_text(f"sekret numer {number} do testów") for number in (1, 2)]


def test_a_key_is_read_as_it_was_made() -> None:
    made = KeyText.make()
    assert KeyText.read(made.whole) == made


def test_a_secret_has_at_least_160_bits() -> None:
    assert len(bytes.fromhex(KeyText.make().secret)) * 8 >= 160


def test_what_is_no_key_is_none() -> None:
    whole = KeyText.make().whole
    odd = ["", "zw_", whole[:-9], whole + "\n", whole + "\0", whole.upper(), f" {whole}", "sk-1"]
    assert [KeyText.read(text) for text in odd] == [None] * len(odd)


def test_the_secret_is_in_no_representation() -> None:
    made = KeyText.make()
    assert made.secret not in repr(made)


def test_what_is_stored_depends_on_secret_and_root_and_tells_neither() -> None:
    keyring = Keyring(ROOTS)
    first, second = KeyText.make(), KeyText.make()
    digests = {str(text.digest(keyring, root.kid)) for text in (first, second) for root in ROOTS}
    assert {len(digest) for digest in digests} == {64}
    assert len(digests) == 4
    assert not any(first.secret in digest for digest in digests)


def test_under_a_root_secret_that_is_gone_nothing_can_be_compared() -> None:
    assert KeyText.make().digest(Keyring(ROOTS[:1]), ROOTS[1].kid) is None
