"""Settings of sign-in by an OpenID Connect provider."""

from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from serving.settings.sections import HttpUrl, Names, Section


class OidcSettings(Section):
    """The provider that signs people in, and what its claims mean here."""

    issuer: HttpUrl | None = Field(
        default=None,
        description="Address of the OpenID Connect provider that signs people in, as it calls "
        "itself; unset: none does.",
    )
    client_id: str = Field(
        default="",
        description="Name under which this server is registered there, with the address "
        "`…/sign-in/oidc/callback` for the way back.",
    )
    client_secret: SecretStr | None = Field(
        default=None,
        description="Secret of that registration; give it in the environment. Unset: a public "
        "client, by PKCE alone.",
    )
    label: str = Field(
        default="", description="What the button calls the provider; empty: its host."
    )
    scopes: Names = Field(
        default=("openid", "profile", "email"), description="What the provider is asked for."
    )
    name_claim: str = Field(
        default="preferred_username",
        description="Claim of the ID token that becomes the user's name at the first sign-in.",
    )
    groups_claim: str = Field(
        default="groups", description="Claim of the ID token that lists somebody's groups."
    )
    groups: dict[str, str] = Field(
        default={},
        description="Groups here by what the claim lists, in a table `[auth.oidc.groups]`; at each "
        "sign-in somebody is put into these and taken out of the others of the table.",
    )
    admitted: Names = Field(
        default=(),
        description="Groups of the claim of which one is needed to come in; none: whoever the "
        "provider knows may.",
    )
    adopt: bool = Field(
        default=False,
        description="Let somebody in as the user of the same name who is here already. Only where "
        "nobody can choose a name at the provider.",
    )

    @property
    def name(self) -> str:
        """What people read of the provider; empty where there is none."""
        return (self.label or urlsplit(self.issuer).netloc) if self.issuer else ""

    @model_validator(mode="after")
    def _names_its_client(self) -> Self:
        if self.issuer is not None and not self.client_id:
            raise ValueError("'issuer' needs 'client_id', the name of this server there")
        if self.issuer is not None and "openid" not in self.scopes:
            raise ValueError("'scopes' must have 'openid'")
        return self
