"""`zwrotnica engines budget`: whether the cards and the main memory hold what is configured."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from serving.engines.budget import Budget, Entry, Place, budget_here, find_misfits
from serving.settings import load_settings

_GIB: Final = 2**30
_HEAD: Final = ("server", "weights", "cache", "overhead", "needs", "takes", "its cache holds")
_ROW: Final = "  {:<24} {:>8} {:>7} {:>9} {:>7} {:>7}  {}"
_UNKNOWN: Final = (
    "{}: nothing tells how large the model is; give a folder as 'launch.weights' or billions as "
    "'launch.parameters'"
)
_NOTHING: Final = (
    "Nothing is started on this machine: no engine has a table [engines.NAME.launch]. "
    "See `zwrotnica engines profiles`."
)


@click.command("budget")
@click.option("--json", "is_json", is_flag=True, help="Print the figures as JSON, bytes.")
@click.pass_obj
def show_budget(config: Path | None, *, is_json: bool) -> None:
    """Print what the servers need of each card and of main memory, GiB; 1 when it cannot fit."""
    budget = budget_here(load_settings(config, calls_engines=False))
    misfits = [misfit.message for misfit in find_misfits(budget)]
    if is_json:
        found = {"places": [_as_object(p) for p in budget.places], "misfits": misfits}
        click.echo(json.dumps(found | {"unknown": budget.unknown}, ensure_ascii=False, indent=2))
    else:
        for line in _lines(budget):
            click.echo(line)
        for misfit in misfits:
            click.echo(f"does not fit: {misfit}")
    if misfits:
        raise click.exceptions.Exit(1)


def _lines(budget: Budget) -> Iterable[str]:
    if not budget.places:
        yield _NOTHING
    for place in budget.places:
        yield _title(place)
        yield _ROW.format(*_HEAD)
        for entry in place.entries:
            yield _ROW.format(*_cells(entry))
    for server in budget.unknown:
        yield _UNKNOWN.format(server)


def _title(place: Place) -> str:
    if place.size is None:
        return f"{place.name}: size unknown, {_show(place.taken)} GiB needed; see [hardware]"
    verdict = "too small" if place.is_overfull or _is_short(place) else "fits"
    return (
        f"{place.name}: {_show(place.size)} GiB, {_show(place.reserve)} kept free, "
        f"{_show(place.taken)} taken: {verdict}"
    )


def _is_short(place: Place) -> bool:
    return any(entry.is_short for entry in place.entries)


def _cells(entry: Entry) -> tuple[str, ...]:
    need = entry.claim.need
    sizes = (need.weights, need.cache, need.overhead, need.total) if need else (None,) * 4
    return (entry.claim.server, *map(_show, (*sizes, entry.taken)), _cached(entry))


def _cached(entry: Entry) -> str:
    tokens, context = entry.cached_tokens, entry.claim.context_tokens
    if tokens is None or context is None:
        return ""
    return f"{tokens:,} tokens, {tokens / context:.1f} × {context:,}"


def _show(size: int | None) -> str:
    return "?" if size is None else f"{size / _GIB:.1f}"


def _as_object(place: Place) -> dict[str, object]:
    return {
        "place": place.name,
        "size": place.size,
        "reserve": place.reserve,
        "taken": place.taken,
        "servers": [_as_row(entry) for entry in place.entries],
    }


def _as_row(entry: Entry) -> dict[str, object]:
    need = entry.claim.need
    return {
        "server": entry.claim.server,
        "weights": need and need.weights,
        "cache": need and need.cache,
        "overhead": need and need.overhead,
        "needed": need and need.total,
        "taken": entry.taken,
        "granted": entry.granted,
        "context_tokens": entry.claim.context_tokens,
        "cached_tokens": entry.cached_tokens,
    }
