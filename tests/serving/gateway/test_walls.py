"""One account reaches nothing of another: every route, every place in it, every kind of id."""

import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
import requests
from scripted.belongings import SHARED
from scripted.persons import NAME, WORDS
from scripted.town import Town, open_town, twin_of
from scripted.walls import (
    WALLS,
    Place,
    Wall,
    name_of,
    parts_of,
    places,
    routes_of,
)

from serving.app import create_app
from serving.auth.scopes import Scope
from serving.gateway.authorization import ANY_KEY, PUBLIC
from serving.gateway.route_table import HOME, ROUTES
from serving.settings import Settings
from serving.storage.tables import METADATA

OF_CONVERSATIONS: Final = {
    "conversation_id": "conversations.conversation_id",
    "message_id": "messages.message_id",
}
CONVERSATION_ROUTES: Final = [name for name in WALLS if "{conversation_id}" in name]
UNKNOWN: Final = "0123456789abcdef-nikogo"
FEW: Final = 2
REFUSED: Final = 400
HINT: Final = re.compile(r"; e\.g\. \w+")
"""The nearest word to what was sent, of a list that everybody knows."""
EXPIRES: Final = re.compile(r"(?<=expires=)[^;]+ GMT")
"""When a cookie ends, which moves with the clock."""
OWN_HEADERS: Final = frozenset({"content-length", "date"})
"""Headers that differ where the body differs, or the time."""
STATUSES: Final = {Wall.HIDDEN: {404}, Wall.CLOSED: {403}}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory, empty_database: bytes) -> Iterator[Town]:
    with open_town(tmp_path_factory.mktemp("town"), empty_database) as town:
        yield town


def told(reply: requests.Response, sent: str) -> str:
    """All that a client sees but for what it sent itself and the request's own id."""
    headers = "\n".join(
        f"{name}: {value}"
        for name, value in sorted(reply.headers.items())
        if name.lower() not in OWN_HEADERS
    )
    text = f"{headers}\n{reply.text}".replace(reply.headers["x-request-id"], "")
    return EXPIRES.sub("", HINT.sub("", text.replace(sent, "•")))


def test_every_route_is_written_down(tmp_path: Path) -> None:
    found = routes_of(create_app(Settings(data_dir=tmp_path)))
    assert sorted(found - WALLS.keys()) == [], "say in scripted/walls.py what these may reach"
    assert sorted(WALLS.keys() - found) == [], "scripted/walls.py names routes that are gone"
    hidden = [route for route in (*ROUTES, HOME) if WALLS[name_of(route)] is Wall.HIDDEN]
    assert all(parts_of(route) for route in hidden)
    closed = {name_of(one) for one in ROUTES if one.scopes == frozenset({Scope.ADMIN})}
    assert closed == {name for name, wall in WALLS.items() if wall is Wall.CLOSED}


def test_ala_has_something_of_every_kind(town: Town) -> None:
    empty = [name for name, rows in town.rows().items() if not rows]
    assert empty == [], "scripted/persons.py leaves no row in these tables"
    assert {table.name for table in METADATA.sorted_tables} >= SHARED
    assert len(town.ids) >= 15


def test_no_id_of_anothers_opens_tells_or_changes_anything(
    town: Town, caplog: pytest.LogCaptureFixture
) -> None:
    """In queries, bodies and forms, where there are most places, each takes a few in turn."""
    walk(town, caplog, few=FEW)


@pytest.mark.parts
@pytest.mark.timeout(120)
def test_no_id_of_any_kind_does_in_any_place(town: Town, caplog: pytest.LogCaptureFixture) -> None:
    walk(town, caplog, few=len(town.ids))


def test_without_a_fitting_key_ids_that_exist_are_answered_as_others(town: Town) -> None:
    wrong: list[str] = []
    for place in places():
        if place.kind != "path" or place.route.scopes == PUBLIC:
            continue
        lacking = "ola" if place.route.scopes == frozenset({Scope.ADMIN}) else "figury"
        is_any = place.route.scopes == ANY_KEY
        for key, status in ((None, 401), *(() if is_any else ((lacking, 403),))):
            nobodys = town.send(place.ask(UNKNOWN, own=town.own, bodies=town.bodies), key=key)
            for value in town.ids.values():
                reply = town.send(place.ask(value, own=town.own, bodies=town.bodies), key=key)
                is_right = reply.status_code == status and told(reply, value) == told(
                    nobodys, UNKNOWN
                )
                wrong += [] if is_right else [f"{place} {value!r}: {reply.status_code}"]
    assert wrong == []


def test_an_administrator_reads_nobodys_conversations(town: Town) -> None:
    before = town.belongings()
    found = [
        one for one in places() if one.kind == "path" and "{conversation_id}" in one.route.path
    ]
    assert len(found) >= len(CONVERSATION_ROUTES)
    for place in found:
        own = {**town.own, **{name: town.ids[kind] for name, kind in OF_CONVERSATIONS.items()}}
        asked = place.ask(own[str(place.steps[0])], own=own, bodies=town.bodies)
        assert town.send(asked, key="szef").status_code == 404, str(place)
    assert sorted(before ^ town.belongings()) == []


def walk(town: Town, caplog: pytest.LogCaptureFixture, *, few: int) -> None:
    """Ask with Ala's ids as Ola, in every place; ``few`` kinds where there are many places."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, logger="urllib3")  # the asking side's own words
    own, bodies = town.own, town.bodies
    before = town.belongings()
    wrong: list[str] = []
    heard: list[str] = []
    for number, place in enumerate(places()):
        unknown = town.send(place.ask(UNKNOWN, own=own, bodies=bodies))
        for kind, value in choose(town.ids, place, number, few):
            reply = town.send(place.ask(value, own=own, bodies=bodies))
            heard.append(f"{reply.headers}{reply.text}")
            faults = faults_of(place, reply, unknown, (value, UNKNOWN))
            if faults:  # the form of the text may be what is told apart
                twin = twin_of(value)
                twins = town.send(place.ask(twin, own=own, bodies=bodies))
                faults = faults_of(place, reply, twins, (value, twin))
            wrong += [f"{place}, {kind} = {value!r}: {fault}" for fault in faults]
    assert not wrong, "\n".join(wrong[:40])
    after = town.belongings()
    assert sorted(before - after) == []
    assert [new for new in after - before if "'sign_in_failed'" not in new[1]] == []
    leaks = [text for text in (*heard, *log_of(caplog)) if any(s in text for s in town.secrets)]
    assert leaks == []


def choose(ids: Mapping[str, str], place: Place, number: int, few: int) -> list[tuple[str, str]]:
    """The kinds of ids for a place.

    In what is written there are none of Ala's words, which in a reply tell that it is hers, nor is
    her name in what a conversation keeps.
    """
    if place.kind in {"path", "header"}:
        return list(ids.items())
    is_kept = place.kind in {"body", "form"}
    names = (WORDS, NAME) if "/conversations" in place.route.path else (WORDS,)
    kinds = [one for one in ids.items() if not (is_kept and any(name in one[1] for name in names))]
    start = number * few % len(kinds)
    return (kinds + kinds)[start : start + min(few, len(kinds))]


def faults_of(
    place: Place, reply: requests.Response, nobodys: requests.Response, sent: tuple[str, str]
) -> list[str]:
    """What is wrong with the reply to another's id, beside that to an id of nothing."""
    faults: list[str] = []
    status, expected = reply.status_code, STATUSES.get(WALLS[name_of(place.route)], set())
    text, other = told(reply, sent[0]), told(nobodys, sent[1])
    if place.kind == "path" and status not in expected:
        faults.append(f"{status} in place of {expected}")
    if status != nobodys.status_code:
        faults.append(f"{status}, but {nobodys.status_code} for what does not exist")
    elif status >= REFUSED and text != other:
        faults.append(f"{text!r} differs from {other!r}")
    if WORDS in text or NAME in text:
        faults.append(f"it tells of Ala: {text!r}")
    return faults


def log_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [caplog.text, *(repr((record.__dict__, record.args)) for record in caplog.records)]
