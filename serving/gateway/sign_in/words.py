"""Every word of the sign-in pages, in Polish and English."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from starlette.requests import Request

from chatbot.errors import ErrorCode


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """The words of one language; ``problems`` are by the code of what went wrong.

    Where a code stands for several kinds, those with words of their own go before it.
    """

    language: str
    sign_in: str
    name: str
    password: str
    current_password: str
    new_password: str
    repeat: str
    length: str
    set_password: str
    account: str
    signed_in_as: str
    to_chat: str
    sign_out: str
    sign_out_everywhere: str
    everywhere_note: str
    change_password: str
    own_data: str
    download_data: str
    data_note: str
    delete_account: str
    delete_note: str
    confirm_name: str
    not_this_name: str
    account_deleted: str
    no_way_in: str
    notices: Mapping[str, str]
    password_is_set: str
    differ: str
    sign_in_by: str
    oidc_failed: str
    not_admitted: str
    provider_unavailable: str
    dead_link: str
    no_such_way: str
    bad_password: str
    form_too_long: str
    problems: Mapping[str, str]
    unknown_problem: str
    wait: str


POLISH: Final = Words(
    language="pl",
    sign_in="Zaloguj się",
    name="Nazwa użytkownika",
    password="Hasło",  # noqa: S106 (a label)
    current_password="Obecne hasło",  # noqa: S106 (a label)
    new_password="Nowe hasło",  # noqa: S106 (a label)
    repeat="Powtórz nowe hasło",
    length="Co najmniej {least} znaków. Najlepiej kilka słów, które łatwo zapamiętać.",
    set_password="Ustaw hasło",  # noqa: S106 (a label)
    account="Konto",
    signed_in_as="Zalogowano jako",
    to_chat="Przejdź do czatu",
    sign_out="Wyloguj się",
    sign_out_everywhere="Wyloguj się wszędzie",
    everywhere_note="Kończy także sesje na innych urządzeniach i w innych przeglądarkach.",
    change_password="Zmień hasło",  # noqa: S106 (a label)
    own_data="Moje dane",
    download_data="Pobierz moje dane (ZIP)",
    data_note="Wszystko, co serwer o Tobie przechowuje: rozmowy, obrazy, oceny, klucze bez ich "
    "treści i zużycie.",
    delete_account="Usuń konto",
    delete_note="Znikną rozmowy, obrazy, oceny i klucze. Tego nie można cofnąć.",
    confirm_name="Aby potwierdzić, wpisz nazwę konta: {name}",
    not_this_name="To nie jest nazwa Twojego konta, więc nic nie zostało usunięte.",
    account_deleted="Konto i wszystko, co do niego należało, zostało usunięte.",
    no_way_in="Na tym serwerze nie można się zalogować na stronie. Poproś o dostęp osobę, która "
    "prowadzi serwer.",
    notices=MappingProxyType({
        "privacy": "Prywatność",
        "accessibility": "Deklaracja dostępności",
    }),
    password_is_set="Hasło zostało ustawione. Możesz się teraz zalogować.",  # noqa: S106 (a label)
    differ="Oba nowe hasła muszą być takie same.",
    sign_in_by="Zaloguj się przez: {label}",
    oidc_failed="Logowanie ({label}) nie powiodło się. Spróbuj jeszcze raz; jeśli to się "
    "powtarza, powiedz o tym osobie, która prowadzi serwer.",
    not_admitted="To konto nie ma wstępu na ten serwer. Poproś o dostęp osobę, która go prowadzi.",
    provider_unavailable="{label} teraz nie odpowiada. Spróbuj ponownie za chwilę.",
    dead_link="Ten link został już użyty albo stracił ważność. Poproś o nowy.",
    no_such_way="Ten sposób logowania jest na tym serwerze wyłączony. Wybierz inny ze strony "
    "logowania, a jeśli żadnego tam nie ma, poproś o dostęp osobę, która prowadzi serwer.",
    bad_password="To nie może być hasło: ma mieć od {least} do 256 znaków i być "  # noqa: S106 (a text)
    "inne niż nazwa użytkownika.",
    form_too_long="Wpisany tekst jest za długi. Skróć go i wyślij formularz jeszcze raz.",
    problems=MappingProxyType({
        ErrorCode.INVALID_API_KEY: "Nazwa użytkownika albo hasło się nie zgadza.",
        ErrorCode.RATE_LIMIT_EXCEEDED: "Zbyt wiele nieudanych prób. Odczekaj {wait} i spróbuj "
        "ponownie.",
        ErrorCode.QUEUE_FULL: "Zbyt wiele osób loguje się naraz. Spróbuj ponownie za chwilę.",
        ErrorCode.NOT_FOUND: "Tego konta już nie ma. Poproś o dostęp osobę, która prowadzi serwer.",
        ErrorCode.INVALID_REQUEST: "Serwer nie mógł odczytać formularza. Otwórz stronę ponownie i "
        "wypełnij go jeszcze raz.",
        ErrorCode.INSUFFICIENT_SCOPE: "Formularz nie został wysłany z tej strony. Otwórz ją "
        "ponownie i spróbuj jeszcze raz.",
        ErrorCode.STORAGE_UNAVAILABLE: "Serwer nie może teraz odczytać kont. Spróbuj ponownie za "
        "chwilę.",
    }),
    unknown_problem="Nie udało się. Spróbuj ponownie za chwilę.",
    wait="{minutes} min",
)
ENGLISH: Final = Words(
    language="en",
    sign_in="Sign in",
    name="User name",
    password="Password",  # noqa: S106 (a label)
    current_password="Current password",  # noqa: S106 (a label)
    new_password="New password",  # noqa: S106 (a label)
    repeat="New password once more",
    length="At least {least} characters. Best are a few words that are easy to remember.",
    set_password="Set password",  # noqa: S106 (a label)
    account="Account",
    signed_in_as="Signed in as",
    to_chat="Go to the chat",
    sign_out="Sign out",
    sign_out_everywhere="Sign out everywhere",
    everywhere_note="Ends your sessions on other devices and in other browsers, too.",
    change_password="Change password",  # noqa: S106 (a label)
    own_data="My data",
    download_data="Download my data (ZIP)",
    data_note="All that the server keeps of you: chats, pictures, ratings, keys without their "
    "text, and usage.",
    delete_account="Delete account",
    delete_note="Chats, pictures, ratings and keys go. This cannot be undone.",
    confirm_name="To confirm, type the name of the account: {name}",
    not_this_name="This is not the name of your account, so nothing was deleted.",
    account_deleted="The account and all that belonged to it were deleted.",
    no_way_in="One cannot sign in on a page of this server. Ask whoever runs it for access.",
    notices=MappingProxyType({
        "privacy": "Privacy (in Polish)",
        "accessibility": "Accessibility statement (in Polish)",
    }),
    password_is_set="Your password is set. You can sign in now.",  # noqa: S106 (a label)
    differ="The new passwords have to be the same.",
    sign_in_by="Sign in with {label}",
    oidc_failed="Signing in with {label} did not work. Try again; if it goes on, tell whoever runs "
    "the server.",
    not_admitted="This account may not use this server. Ask whoever runs it for access.",
    provider_unavailable="{label} does not answer now. Try again in a moment.",
    dead_link="This link has been used or has ended. Ask for a new one.",
    no_such_way="Signing in this way is switched off on this server. Choose another on the sign-in "
    "page; if there is none, ask whoever runs the server for access.",
    bad_password="This cannot be a password: it has {least} to 256 characters "  # noqa: S106 (a text)
    "and differs from the user name.",
    form_too_long="What you typed is too long. Shorten it and send the form again.",
    problems=MappingProxyType({
        ErrorCode.INVALID_API_KEY: "The user name or the password is wrong.",
        ErrorCode.RATE_LIMIT_EXCEEDED: "Too many failed attempts. Wait {wait} and try again.",
        ErrorCode.QUEUE_FULL: "Too many people sign in at once. Try again in a moment.",
        ErrorCode.NOT_FOUND: "This account is gone. Ask whoever runs the server for access.",
        ErrorCode.INVALID_REQUEST: "The server could not read the form. Open the page anew and "
        "fill it in again.",
        ErrorCode.INSUFFICIENT_SCOPE: "The form was not sent from this page. Open it anew and try "
        "again.",
        ErrorCode.STORAGE_UNAVAILABLE: "The server cannot read accounts now. Try again in a "
        "moment.",
    }),
    unknown_problem="That did not work. Try again in a moment.",
    wait="{minutes} min",
)


def words_for(request: Request) -> Words:
    """Polish, unless English is wanted more (RFC 9110, 12.5.4)."""
    weights: dict[str, float] = {}
    for part in request.headers.get("accept-language", "").split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            weights.setdefault(tag.strip().lower().partition("-")[0], float(weight or 1))
        except ValueError:
            continue
    return ENGLISH if weights.get("en", 0.0) > weights.get("pl", 0.0) else POLISH
