"""What the claims of somebody mean here: a name, groups, and whether to come in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from chatbot.errors import InvalidRequest
from serving.auth.accounts import check_name
from serving.auth.oidc.errors import NotAdmitted, OidcRefused
from serving.auth.records import LOCAL
from serving.settings.oidc import OidcSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class Somebody:
    """Whom the provider knows as ``subject``; ``groups`` are ours, of those in its table."""

    issuer: str
    subject: str
    name: str
    groups: frozenset[str]

    @classmethod
    def read(cls, claims: Mapping[str, object], settings: OidcSettings) -> Self:
        """The person of an ID token that was validated.

        Raises:
            NotAdmitted: who is in none of the groups that may come in.
        """
        listed = _listed(claims.get(settings.groups_claim))
        if settings.admitted and listed.isdisjoint(settings.admitted):
            raise NotAdmitted("not in a group of auth.oidc.admitted")
        name = claims.get(settings.name_claim)
        return cls(
            issuer=str(claims["iss"]),
            subject=str(claims["sub"]),
            name=name if isinstance(name, str) else "",
            groups=frozenset(own for theirs, own in settings.groups.items() if theirs in listed),
        )

    def check_name(self) -> None:
        """Go on where a new account may have the name.

        Raises:
            OidcRefused: it may not.
        """
        try:
            check_name(self.name)
        except InvalidRequest as error:
            raise OidcRefused("auth.oidc.name_claim gives no usable name") from error
        if self.name == LOCAL:
            raise OidcRefused("auth.oidc.name_claim gives the name of the shared account")


def _listed(claim: object) -> frozenset[str]:
    """The groups in a claim: a list of texts, or one text."""
    if isinstance(claim, str):
        return frozenset({claim})
    return (
        frozenset(one for one in claim if isinstance(one, str))
        if isinstance(claim, list)
        else (frozenset())
    )
