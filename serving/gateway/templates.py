"""Fills the templates of the gateway's pages, which lie in its folders."""

from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


def render(name: str, values: Mapping[str, object]) -> str:
    """The page of the template ``name``, a path in this room; it is compiled once a process.

    Raises:
        jinja2.UndefinedError: it needs a value that was not given.
    """
    return _environment().get_template(name).render(values)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("serving", "gateway"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
