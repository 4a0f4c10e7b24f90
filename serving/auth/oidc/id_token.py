"""Validates ID tokens (OpenID Connect Core 1.0, 3.1.3.7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet, KeySetSerialization

from chatbot.types import JsonObject
from serving.auth.oidc.errors import OidcRefused, ProviderUnavailable

ALGORITHMS: Final = ("RS256", "PS256", "ES256", "EdDSA")
"""Signatures by a key that the provider alone has: neither ``none`` nor a shared secret."""
LEEWAY_S: Final = 60
_LONGEST: Final = 65_536


class UnknownKey(OidcRefused):
    """The token is signed by a key that is not known; the provider may have new ones."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """What a token has to say: by whom, for whom, in reply to what, and when."""

    issuer: str
    client_id: str
    nonce: str
    now: int


def read_keys(document: JsonObject) -> KeySet:
    """The provider's public keys (RFC 7517).

    Raises:
        ProviderUnavailable: they cannot be read.
    """
    try:
        return KeySet.import_key_set(cast("KeySetSerialization", dict(document)))
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise ProviderUnavailable("the provider's keys cannot be read") from error


def read_claims(text: object, keys: KeySet, expected: Expected) -> Mapping[str, object]:
    """The claims of an ID token that is all that is ``expected``.

    Raises:
        UnknownKey: its key is not among ``keys``.
        OidcRefused: anything about it is not right.
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise OidcRefused("there is no ID token")
    try:
        claims: Mapping[str, object] = jwt.decode(text, keys, algorithms=ALGORITHMS).claims
        _registry(expected).validate(dict(claims))
    except InvalidKeyIdError as error:
        raise UnknownKey("the ID token: its key is unknown") from error
    except (JoseError, ValueError, TypeError) as error:
        raise OidcRefused(f"the ID token: {type(error).__name__}") from error
    _check_party(claims, expected.client_id)
    return claims


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
