"""A scripted OpenID Connect provider, by OpenID Connect Core 1.0, Discovery 1.0 and RFC 7636."""

import hmac
import json
import secrets
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_plus, urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey
from scripted.service import Asked, Reply, ScriptedService, json_reply

CLIENT: Final = "zwrotnica"
SECRET: Final = "tajne hasło: klienta"
BITS: Final = 2048
Claims = dict[str, Any]
Sign = Callable[["ScriptedProvider", Claims], str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Grant:
    """What a code stands for."""

    challenge: str
    nonce: str
    back: str


def _encode(value: bytes) -> str:
    return urlsafe_b64encode(value).decode().rstrip("=")


def sign(provider: "ScriptedProvider", claims: Claims) -> str:
    """As the specification says."""
    header = {"alg": "RS256", "kid": provider.key.kid}
    return jwt.encode(header, claims, provider.key, algorithms=["RS256"])


def leave_unsigned(_: "ScriptedProvider", claims: Claims) -> str:
    """With ``alg: none``, which RFC 7519 knows and OpenID Connect allows where both agreed."""
    parts = (json.dumps({"alg": "none"}), json.dumps(claims))
    return ".".join(_encode(part.encode()) for part in parts) + "."


def sign_with_public_key(provider: "ScriptedProvider", claims: Claims) -> str:
    """With HS256 and what everybody knows (RFC 8725, 2.1)."""
    parts = ({"alg": "HS256", "kid": provider.key.kid}, claims)
    text = ".".join(_encode(json.dumps(part).encode()) for part in parts)
    secret = provider.key.as_pem(private=False)
    return f"{text}.{_encode(hmac.digest(secret, text.encode(), 'sha256'))}"


def sign_with_other_key(provider: "ScriptedProvider", claims: Claims) -> str:
    """By somebody else, under the name of the provider's key."""
    other = RSAKey.generate_key(BITS)
    header = {"alg": "RS256", "kid": provider.key.kid}
    return jwt.encode(header, claims, other, algorithms=["RS256"])


class ScriptedProvider(ScriptedService):
    """Lets ``person`` in at once; ``changed`` claims and ``sign`` are for what must be refused.

    ``listed`` stands in place of its own keys in its set.
    """

    def __init__(self) -> None:
        super().__init__()
        self.key = self._make_key()
        self.listed: list[object] | None = None
        self.person: Claims = {"sub": "248289761001", "preferred_username": "jan.kowalski"}
        self.changed: Claims = {}
        self.sign: Sign = sign
        self.wrong_issuer = False
        self.grants: dict[str, Grant] = {}
        self.asked: Mapping[str, str] = {}

    @staticmethod
    def _make_key() -> RSAKey:
        return RSAKey.generate_key(BITS, {"kid": secrets.token_hex(4), "use": "sig"})

    def own_keys(self) -> list[object]:
        """What everybody may know of what it signs with."""
        return [self.key.as_dict(private=False)]

    def renew_key(self) -> None:
        """Sign with a new key from now on; only it is among the keys."""
        self.key = self._make_key()

    def answer(self, asked: Asked) -> Reply:
        """Serve one of the four addresses."""
        match asked.path:
            case "/.well-known/openid-configuration":
                return json_reply(self._document())
            case "/keys":
                return json_reply({"keys": self.own_keys() if self.listed is None else self.listed})
            case "/authorize":
                return self._authorize(asked.query)
            case "/token":
                return self._exchange(asked)
            case _:
                return json_reply({}, 404)

    def _document(self) -> dict[str, object]:
        return {
            "issuer": self.url + ("/other" if self.wrong_issuer else ""),
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _authorize(self, query: Mapping[str, str]) -> Reply:
        self.asked = query
        wanted = {"response_type": "code", "client_id": CLIENT, "code_challenge_method": "S256"}
        has_all = all(query.get(name) == value for name, value in wanted.items())
        if not has_all or "openid" not in query.get("scope", "").split():
            return json_reply({"error": "invalid_request"}, 400)
        code = secrets.token_urlsafe(16)
        self.grants[code] = Grant(
            challenge=query["code_challenge"], nonce=query["nonce"], back=query["redirect_uri"]
        )
        told = urlencode({"code": code, "state": query["state"], "iss": self.url})
        return Reply(body=b"", status=302, headers={"location": f"{query['redirect_uri']}?{told}"})

    def _exchange(self, asked: Asked) -> Reply:
        form = dict(parse_qsl(asked.body.decode()))
        grant = self.grants.pop(form.get("code", ""), None)
        challenge = _encode(sha256(form.get("code_verifier", "").encode()).digest())
        is_right = grant is not None and (challenge, form.get("redirect_uri")) == (
            grant.challenge,
            grant.back,
        )
        if not _is_client(asked.headers) or form.get("grant_type") != "authorization_code":
            return json_reply({"error": "invalid_client"}, 401)
        if grant is None or not is_right:
            return json_reply({"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": grant.nonce,
            **self.person,
            **self.changed,
        }
        told = {name: value for name, value in claims.items() if value is not None}
        token = {"access_token": "x", "token_type": "Bearer", "id_token": self.sign(self, told)}
        return json_reply(token)


def _is_client(headers: Mapping[str, str]) -> bool:
    """Whether the client's name and secret came by Basic (RFC 6749, 2.3.1)."""
    given = {name.lower(): value for name, value in headers.items()}.get("authorization", "")
    name, _, secret = b64decode(given.removeprefix("Basic ") or b"").decode().partition(":")
    return (unquote_plus(name), unquote_plus(secret)) == (CLIENT, SECRET)
