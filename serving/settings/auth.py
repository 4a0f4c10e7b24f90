"""Settings of accounts and keys."""

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt, SecretStr

from serving.settings.oidc import OidcSettings
from serving.settings.sections import Names, Section


class AuthSettings(Section):
    """Who may ask: keys, and how soon a change of them is seen."""

    required: bool = Field(
        default=False,
        description="Let nobody in without a key, even where there has never been one and only "
        "this machine reaches the server.",
    )
    bootstrap_key: SecretStr | None = Field(
        default=None,
        description="Key of `local` with all scopes, made at the start of a server that has never "
        'had one: `echo "zw_$(openssl rand -hex 8)_$(openssl rand -hex 24)"`. Later it is passed '
        "over; give it in the environment.",
    )
    keys: PositiveInt = Field(
        default=100,
        description="Keys that count which an account may have by `/api/keys`; `zwrotnica keys "
        "create` makes more.",
    )
    poll_s: PositiveFloat = Field(
        default=1.0,
        description="Seconds between two looks for changes of accounts and keys: so late a "
        "revoked key is refused at most.",
    )
    stale_s: NonNegativeFloat = Field(
        default=30.0,
        description="Seconds for which keys that were used before go on to count while the "
        "database cannot be read.",
    )
    used_s: PositiveFloat = Field(
        default=60.0, description="Seconds after which it is written down when keys were last used."
    )
    password: bool = Field(
        default=True, description="Let people sign in on the web by a name and a password."
    )
    password_chars: PositiveInt = Field(
        default=12, description="Characters that a password has at least."
    )
    password_mib: PositiveInt = Field(
        default=64,
        description="Memory in MiB that hashing a password takes (argon2id); at most two at once "
        "in a process. Passwords are hashed anew as people sign in.",
    )
    guesses: PositiveInt = Field(
        default=10,
        description="Wrong passwords for an account from one address within `auth.guesses_s`; ten "
        "times as many for an account from anywhere, and from an address for any.",
    )
    guesses_s: PositiveFloat = Field(
        default=900.0, description="Seconds after which wrong passwords are forgotten."
    )
    session_s: PositiveFloat = Field(
        default=43_200.0,
        description="Seconds for which one stays signed in on the web; then one signs in again.",
    )
    admin_groups: Names = Field(
        default=("admins",),
        description="Groups whose members have the scope `admin` when they have signed in.",
    )
    oidc: OidcSettings = Field(
        default=OidcSettings(), description="Sign-in by an OpenID Connect provider."
    )
