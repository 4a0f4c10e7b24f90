"""The options of commands that limit what users and groups may use, and how much."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import wraps
from typing import Final

import click

from chatbot.errors import InvalidRequest
from serving.auth.known_names import check_names
from serving.auth.quotas import MICRO, MONEY, NAMES, SIZES, Quotas
from serving.auth.records import Limits
from serving.cli.accounts import Callback, split_names
from serving.settings import load_settings

_HELP: Final = {
    "requests_per_minute": "Requests in a minute.",
    "tokens_per_minute": "Tokens, of prompts and answers, in a minute.",
    "requests_at_once": "Requests that may run at once.",
    "prompt_tokens": "Tokens of one prompt, estimated; a longer one is refused.",
    "answer_tokens": "Tokens of one answer; a longer one is cut off.",
    "tokens_per_day": "Tokens, of prompts and answers, in a day.",
    "tokens_per_month": "Tokens in a month.",
    "images_per_day": "Pictures in a day.",
    "images_per_month": "Pictures in a month.",
    "money_per_day": "What may be spent in a day, in the currency of the prices.",
    "money_per_month": "What may be spent in a month.",
}
"""What the option of each quota limits."""


class Money(click.ParamType[int]):
    """An amount in the currency, with at most six decimals, read as micro-units."""

    name = "amount"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read it, exactly."""
        try:
            micro = Decimal(str(value)) * MICRO
            if micro >= 0 and micro == int(micro):
                return int(micro)
        except (ArithmeticError, ValueError):
            pass
        return self.fail(f"{value!r} is no amount such as 12.50", param, ctx)


def quota_options(command: Callback) -> Callback:
    """Options that say how much one may use; the command gets them as ``quotas``."""
    return _quota_options(command, NAMES)


def total_options(command: Callback) -> Callback:
    """As `quota_options`, for many together."""
    return _quota_options(command, [name for name in NAMES if name not in SIZES])


def _quota_options(command: Callback, names: Sequence[str]) -> Callback:
    @wraps(command)
    def limited(*words: object, **options: object) -> None:
        given = {name: options.pop(name) for name in names}
        found = {name: value for name, value in given.items() if isinstance(value, int)}
        command(*words, quotas=Quotas(**found), **options)

    options: Callback = limited
    for name in reversed(names):
        options = _option(name)(options)
    return options


def _option(name: str) -> Callable[[Callback], Callback]:
    least = 1 if name in SIZES or name.endswith("_per_minute") else 0
    kind = Money() if name in MONEY else click.IntRange(min=least)
    return click.option(f"--{name.replace('_', '-')}", name, type=kind, help=_HELP[name])


def limit_options(command: Callback) -> Callback:
    """Options that say what may be used and how much; the command gets them as ``limits``.

    Engines and tools that are not there are refused, with the nearest that is.
    """

    @click.option(
        "--engines",
        type=split_names,
        metavar="NAMES",
        help="Engines that may be called by name; unset: all.",
    )
    @click.option(
        "--tools", type=split_names, metavar="NAMES", help="Tools that may be used; unset: all."
    )
    @quota_options
    @wraps(command)
    def limited(
        *words: object,
        engines: frozenset[str] | None,
        tools: frozenset[str] | None,
        quotas: Quotas,
        **options: object,
    ) -> None:
        settings = load_settings(click.get_current_context().obj, calls_engines=False)
        limits = Limits(engines=engines, tools=tools, quotas=quotas)
        try:
            check_names(limits, settings)
        except InvalidRequest as error:
            hint = f"'--{error.param}'"
            raise click.BadParameter(error.message, param_hint=hint) from error
        command(*words, limits=limits, **options)

    return limited
