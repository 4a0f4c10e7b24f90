"""Reads and renders the prompt templates that lie beside this file."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template


def load(name: str, **values: object) -> str:
    """Render the prompt ``name`` (the file ``name.j2`` of this package) with ``values``.

    Blank space around the result is cut off, so that a prompt ends with its last character.

    Raises:
        jinja2.TemplateNotFound: there is no such prompt.
        jinja2.UndefinedError: the prompt needs a value that was not given.
    """
    return _template(name).render(values).strip() if values else _render_bare(name)


@cache
def _render_bare(name: str) -> str:
    return _template(name).render().strip()


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=PackageLoader("chatbot", "prompts"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - prompts are plain text for a model, not HTML
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(f"{name}.j2")
