"""Puts together what signs people in."""

from dataclasses import dataclass
from typing import Final

from argon2 import PasswordHasher

from chatbot.ports import Clock
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
    """The ways in: sessions, and the passwords that open them."""

    sign_ins: SignIns
    new_passwords: NewPasswords


def open_sign_ins(
    settings: AuthSettings,
    database: Database,
    keyring: Keyring,
    clock: Clock,
    *,
    hasher: PasswordHasher | None = None,
) -> Entrances:
    """Both on one database, with one queue for the work of hashing; ``hasher``: another one."""
    passwords = Passwords(hasher or PasswordHasher(memory_cost=settings.password_mib * _KIB))
    return Entrances(
        sign_ins=SignIns(
            database, keyring=keyring, clock=clock, settings=settings, passwords=passwords
        ),
        new_passwords=NewPasswords(
            database, keyring=keyring, clock=clock, settings=settings, passwords=passwords
        ),
    )
