"""`zwrotnica retention`: how long what is kept stays, and what would be deleted now."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import anyio
import click

from chatbot.types import JsonValue
from serving.billing.store import KEY_LIFE
from serving.cli.accounts import JSON, show_table
from serving.cli.person import OpenedPerson, open_person
from serving.cli.terminal import printable_json
from serving.storage.ageing import open_log, open_requests, open_spendings
from serving.storage.calls import CallStore
from serving.storage.kept_replies import KeptReplies

_HEADS: Final = ("WHAT", "KEPT FOR", "SETTING", "DUE NOW")


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of what is kept; without ``days`` it is kept always."""

    name: str
    setting: str
    days: float
    count_due: Callable[[datetime], Awaitable[int]]


@click.command()
@JSON
@click.pass_obj
def retention(config: Path | None, *, is_json: bool) -> None:
    """Print how long each kind of data is kept, and how much the next sweep would delete.

    Nothing is deleted here: a running server does that at its start and every storage.sweep_s.
    """
    kinds = anyio.run(_look, config)
    if is_json:
        listed: list[JsonValue] = [
            {"what": kind.name, "setting": kind.setting, "days": kind.days or None, "due": due}
            for kind, due in kinds
        ]
        click.echo(printable_json({"retention": listed}))
        return
    rows = [
        (kind.name, f"{kind.days:g} days" if kind.days else "always", kind.setting, str(due))
        for kind, due in kinds
    ]
    show_table(_HEADS, rows)


async def _look(config: Path | None) -> list[tuple[Kind, int]]:
    async with open_person(config) as opened:
        now = opened.clock.now()
        return [(kind, await kind.count_due(now)) for kind in _kinds(opened)]


def _kinds(opened: OpenedPerson) -> list[Kind]:
    database, settings = opened.database, opened.settings.storage
    calls = CallStore(database, clock=opened.clock, settings=settings)
    replies = KeptReplies(database, life=KEY_LIFE)
    log, requests = open_log(database, settings), open_requests(database, settings)
    spendings = open_spendings(database, settings)
    due = {
        "conversations": ("conversation_days", opened.conversations.count_due),
        "pictures": ("picture_days", opened.images.count_due),
        "calls": ("call_days", calls.count_due),
        "audit": ("audit_days", log.count_due),
        "requests": ("ledger_days", requests.count_due),
        "spendings": ("ledger_days", spendings.count_due),
    }
    kinds = [
        Kind(
            name=name,
            setting=f"storage.{field}",
            days=float(getattr(settings, field)),
            count_due=count,
        )
        for name, (field, count) in due.items()
    ]
    life = KEY_LIFE / timedelta(days=1)
    return [*kinds, Kind(name="replies", setting="-", days=life, count_due=replies.count_due)]
