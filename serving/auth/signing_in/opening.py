"""Puts together what signs people in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from argon2 import PasswordHasher

from chatbot.ports import Clock
from serving.auth.oidc.sign_in import OidcSignIn
from serving.auth.signing_in.new_passwords import NewPasswords
from serving.auth.signing_in.passwords import Passwords
from serving.auth.signing_in.sign_ins import SignIns
from serving.settings import AuthSettings
from serving.storage import Keyring
from serving.storage.database import Database

_KIB: Final = 1024
"""In a MiB; argon2 counts in KiB."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entrances:
    """The ways in: sessions, the passwords that open them, the provider that does, if any."""

    sign_ins: SignIns
    new_passwords: NewPasswords
    oidc: OidcSignIn | None = None


def open_sign_ins(
    settings: AuthSettings,
    database: Database,
    keyring: Keyring,
    clock: Clock,
    *,
    new_id: Callable[[], str],
    hasher: PasswordHasher | None = None,
) -> Entrances:
    """All on one database, with one queue for the work of hashing; ``hasher``: another one.

    ``new_id`` gives the ids of users whom a provider brings.
    """
    passwords = Passwords(hasher or PasswordHasher(memory_cost=settings.password_mib * _KIB))
    sign_ins = SignIns(
        database, keyring=keyring, clock=clock, settings=settings, passwords=passwords
    )
    new_passwords = NewPasswords(
        database, keyring=keyring, clock=clock, settings=settings, passwords=passwords
    )
    oidc = OidcSignIn(
        settings.oidc, database, keyring=keyring, clock=clock, sign_ins=sign_ins, new_id=new_id
    )
    has_oidc = settings.oidc.issuer is not None
    return Entrances(
        sign_ins=sign_ins, new_passwords=new_passwords, oidc=oidc if has_oidc else None
    )
