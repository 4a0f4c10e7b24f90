"""What a run is asked for on the command line: cases, engine, record, pace."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from typing import Final

import click
from pydantic import ValidationError

from evals.assembly import Plan, Runner, take
from evals.cases import EVERYDAY, CaseSet, Split, read_cases, select
from evals.examples import EXAMPLES, example_cases, offered_tools
from evals.expectations import find_unknown
from evals.record import Header, RecordError, open_record, read_record
from serving.engines.kinds import ENGINE_KINDS
from serving.settings import (
    EMBEDDED,
    EngineSettings,
    RouterSettings,
    Settings,
    SettingsError,
    load_settings,
    read_variable,
)

GIVEN: Final = "given"
"""The name of the engine that ``--url`` describes."""

_NOWHERE: Final = "http://replay.invalid/v1"
_FILE = click.Path(dir_okay=False, path_type=Path)
_KINDS = sorted(set(ENGINE_KINDS) - {EMBEDDED})
_OPTIONS: Final = (
    click.option("--cases", help="A file of JSON lines, a folder, or `examples` of the tools."),
    click.option("--split", type=click.Choice(["dev", "test"]), help="Only this half of them."),
    click.option("--limit", type=click.IntRange(min=1), help="Only so many, evenly spread."),
    click.option("--engine", help="Configured engine to use as the router."),
    click.option("--url", help="Base address of a model server to use instead, with /v1."),
    click.option("--model", help="Its model."),
    click.option("--dialect", help="How the router's model calls tools."),
    click.option(
        "--kind",
        type=click.Choice(_KINDS),
        default="openai",
        show_default=True,
        help="What serves it.",
    ),
    click.option("--key-env", help="Name of the variable that holds its key."),
    click.option("--set", "set_", multiple=True, metavar="NAME=VALUE", help="Any setting."),
    click.option("--config", type=_FILE, help="Configuration file."),
    click.option(
        "--runner",
        type=click.Choice(["route", "chatbot"]),
        default="route",
        show_default=True,
        help="The decision alone, or whole turns in which no tool does anything.",
    ),
    click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The date on which it is."),
    click.option(
        "--parallel",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        help="Cases at once.",
    ),
    click.option("--per-minute", type=click.IntRange(min=1), help="Most requests in a minute."),
    click.option("--record", type=_FILE, help="Keep every exchange here; goes on where it ends."),
    click.option("--replay", type=_FILE, help="Ask nobody: play a record."),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What was chosen, as the options name it; times and dates as `Plan` has them."""

    cases: str | None
    split: Split | None
    limit: int | None
    engine: str | None
    url: str | None
    model: str | None
    dialect: str | None
    kind: str
    key_env: str | None
    set_: tuple[str, ...]
    config: Path | None
    runner: Runner
    today: datetime | None
    parallel: int
    per_minute: int | None
    record: Path | None
    replay: Path | None

    def read_settings(self) -> Settings:
        """The settings of the run, in which no engine waits by itself when it is busy.

        Raises:
            SettingsError: a setting cannot be used, or options contradict each other.
        """
        settings = load_settings(self.config, overrides=self._overrides())
        if self.replay is not None:
            settings = _as_recorded(settings, read_record(self.replay).header)
        engines = {
            name: engine.model_copy(update={"busy_wait_s": 0.0})
            for name, engine in settings.engines.items()
        }
        return settings.model_copy(update={"engines": engines})

    def read_cases(
        self,
        settings: Settings,
        *,
        default: Path = EVERYDAY,
        keep: Callable[[CaseSet], CaseSet] = lambda case_set: case_set,
    ) -> CaseSet:
        """The cases of the run, those alone that ``keep`` leaves, before they are limited.

        Says what they expect of tools that are not there.

        Raises:
            CaseFileError: they cannot be read.
        """
        if self.cases == EXAMPLES:
            case_set = example_cases(settings)
        else:
            case_set = read_cases(default if self.cases is None else Path(self.cases))
        if self.split is not None:
            case_set = select(case_set, self.split)
        case_set = take(keep(case_set), self.limit)
        _tell_unknown(case_set, settings)
        return case_set

    @contextmanager
    def plan(self, settings: Settings, case_set: CaseSet) -> Iterator[tuple[Plan, date | None]]:
        """How to run, and on which date; a record is written while the block lasts.

        Raises:
            RecordError: the record is of another run.
        """
        plan = Plan(runner=self.runner, per_minute=self.per_minute)
        if self.replay is not None:
            record = read_record(self.replay)
            if record.header.fingerprint != case_set.fingerprint:
                raise RecordError("the record is one of other cases; give the same --cases")
            plan = replace(plan, record=record, may_ask=False, runner=record.header.runner)
            yield plan, record.header.today
        elif self.record is not None:
            today = self.today.date() if self.today else datetime.now().astimezone().date()
            record = open_record(self.record, self._header(settings, case_set, today))
            with record.writing(self.record):
                yield replace(plan, record=record), record.header.today
        else:
            yield plan, self.today.date() if self.today else None

    def _header(self, settings: Settings, case_set: CaseSet, today: date) -> Header:
        return Header(
            cases=case_set.name,
            fingerprint=case_set.fingerprint,
            runner=self.runner,
            today=today,
            settings={
                "router": settings.router.model_dump(mode="json"),
                "engines": {
                    name: engine.model_dump(
                        mode="json",
                        exclude={
                            "api_key",
                            "api_key_env",
                            "url",
                            "port",
                            "launch",
                            "system_prompt_file",
                        },
                    )
                    for name, engine in settings.engines.items()
                },
                "default_engine": settings.default_engine,
            },
        )

    def _overrides(self) -> Mapping[str, object]:
        overrides = {"router.dialect": self.dialect, **dict(map(_read_pair, self.set_))}
        if self.url is None:
            if self.model or self.key_env:
                raise SettingsError("--model and --key-env belong to --url")
            return {"router.engine": self.engine, **overrides}
        if self.engine is not None:
            raise SettingsError("give --engine or --url, not both")
        configured = load_settings(self.config)
        return {
            f"engines.{GIVEN}.kind": self.kind,
            f"engines.{GIVEN}.url": self.url,
            f"engines.{GIVEN}.model": self.model,
            f"engines.{GIVEN}.dialect": self.dialect,
            f"engines.{GIVEN}.api_key": _read_key(self.key_env),
            "router.engine": GIVEN,
            "default_engine": configured.answering_engine if configured.engines else GIVEN,
            **overrides,
        }


def chosen(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a run, as its argument ``choice``."""

    @wraps(command)
    def with_choice(**options: object) -> None:
        names = Choice.__dataclass_fields__
        choice = {name: options.pop(name) for name in names}
        command(choice=Choice(**choice), **options)  # type: ignore[arg-type] # click has typed them

    decorated: Callable[..., None] = with_choice
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _read_pair(pair: str) -> tuple[str, str]:
    name, found, value = pair.partition("=")
    if not found:
        raise SettingsError(f"--set {pair!r}: write NAME=VALUE, for example router.verify=false")
    return name, value


def _read_key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = read_variable(variable)
    if key is None:
        raise SettingsError(f"the variable {variable!r}, named by --key-env, is not set")
    return key


def _as_recorded(settings: Settings, header: Header) -> Settings:
    """The settings of router and engines as they were; no address is known any more.

    Raises:
        RecordError: they are of a version with other settings.
    """
    engines = header.settings.get("engines")
    tables = engines if isinstance(engines, dict) else {}
    try:
        recorded = {
            "engines": {
                name: EngineSettings.model_validate({"url": _NOWHERE, **table})
                for name, table in tables.items()
                if isinstance(table, dict)
            },
            "router": RouterSettings.model_validate(header.settings.get("router")),
            "default_engine": header.settings.get("default_engine"),
        }
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise RecordError(
            f"the record has settings of another version ({where}: {problem['msg']}); "
            "record the run anew"
        ) from error
    return settings.model_copy(update=recorded)


def _tell_unknown(case_set: CaseSet, settings: Settings) -> None:
    if unknown := find_unknown(case_set, offered_tools(settings)):
        named = ", ".join(f"{name} ({count})" for name, count in unknown.items())
        click.echo(
            f"{case_set.name} expects what no enabled tool has, which counts as wrong: {named}",
            err=True,
        )
