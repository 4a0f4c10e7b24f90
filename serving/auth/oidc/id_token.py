"""Validates ID tokens (OpenID Connect Core 1.0, 3.1.3.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias, cast

from cryptography.exceptions import UnsupportedAlgorithm
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import GuestProtocol, JWKRegistry, Key, KeySet

from chatbot.types import JsonObject, JsonValue
from serving.auth.oidc.errors import OidcRefused, ProviderUnavailable

_KINDS: Final = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP"}
"""The kind of key that each signature takes."""
ALGORITHMS: Final = tuple(_KINDS)
"""Signatures by a key that the provider alone has: neither ``none`` nor a shared secret."""
LEEWAY_S: Final = 60
_LONGEST: Final = 65_536
_LONGEST_NAME: Final = 64
Keys: TypeAlias = tuple[Key, ...]


class UnknownKey(OidcRefused):
    """The token is signed by a key that is not known; the provider may have new ones."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """What a token has to say: by whom, for whom, in reply to what, and when."""

    issuer: str
    client_id: str
    nonce: str
    now: int


def read_keys(document: JsonObject) -> tuple[Keys, Sequence[str]]:
    """The provider's public keys (RFC 7517), and the names of those that cannot be read.

    A provider may have keys of kinds that nobody here knows, for others; the tokens that are
    signed by them have an unknown key.

    Raises:
        ProviderUnavailable: none can be read.
    """
    listed = document.get("keys")
    keys: list[Key] = []
    unreadable: list[str] = []
    for one in listed if isinstance(listed, list) else ():
        try:
            keys.append(_read_key(one))
        except (JoseError, UnsupportedAlgorithm, ValueError, KeyError, TypeError):
            unreadable.append(_name(one))
    if not keys:
        raise ProviderUnavailable("none of the provider's keys can be read")
    return tuple(keys), unreadable


def _read_key(listed: JsonValue) -> Key:
    if not isinstance(listed, dict):
        raise TypeError("no object")
    key = JWKRegistry.import_key(cast("dict[str, str | list[str]]", listed))
    key.ensure_kid()
    return key


def _name(listed: JsonValue) -> str:
    return repr(listed.get("kid") if isinstance(listed, dict) else listed)[:_LONGEST_NAME]


def read_claims(text: object, keys: Keys, expected: Expected) -> Mapping[str, object]:
    """The claims of an ID token that is all that is ``expected``.

    Raises:
        UnknownKey: its key is not among ``keys``.
        OidcRefused: anything about it is not right.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise OidcRefused("there is no ID token")
    try:
        choose = partial(_choose, keys)
        claims: Mapping[str, object] = jwt.decode(text, choose, algorithms=ALGORITHMS).claims
        _registry(expected).validate(dict(claims))
    except InvalidKeyIdError as error:
        raise UnknownKey("the ID token: its key is unknown") from error
    except (JoseError, ValueError, TypeError) as error:
        raise OidcRefused(f"the ID token: {type(error).__name__}") from error
    _check_party(claims, expected.client_id)
    return claims


def _choose(keys: Keys, token: GuestProtocol) -> KeySet:
    """Those of the kind that the token's signature takes: others may have the same name."""
    kind = _KINDS.get(token.headers()["alg"])
    return KeySet([key for key in keys if key.key_type == kind])


def _check_party(claims: Mapping[str, object], client_id: str) -> None:
    """Of several audiences one is meant (``azp``); whoever is named there has to be us."""
    audience, party = claims.get("aud"), claims.get("azp")
    is_shared = isinstance(audience, list) and len(audience) > 1
    if party != client_id and (party is not None or is_shared):
        raise OidcRefused("the ID token was made for another client")


def _registry(expected: Expected) -> jwt.JWTClaimsRegistry:
    return jwt.JWTClaimsRegistry(
        now=expected.now,
        leeway=LEEWAY_S,
        iss={"essential": True, "value": expected.issuer},
        aud={"essential": True, "value": expected.client_id},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": expected.nonce},
    )
