"""Looks a tool over for what makes it hard to find, to call or to understand."""

import re
from collections.abc import Iterator, Mapping

from chatbot.tools.tool import Tool
from chatbot.types import JsonObject, JsonValue

MIN_EXAMPLES = 3
MIN_DESCRIPTION = 20
MAX_DESCRIPTION = 1024
MAX_EXAMPLE = 200
MAX_DEADLINE_S = 300.0
_NAME = re.compile(r"[a-z][a-z0-9_]{2,63}")
_REFUSAL = re.compile(r"\bnot\b|\bnever\b|\bonly\b", re.IGNORECASE)
_UNSUPPORTED = frozenset({
    "$ref",
    "allOf",
    "contains",
    "dependentSchemas",
    "discriminator",
    "else",
    "if",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedProperties",
})


def check_tool(tool: Tool) -> list[str]:
    """What should be better about a tool, in English; an empty list when nothing is.

    Nothing is run. Looked at are the name, the title, the docstring and the arguments (a router
    model has nothing else to decide by), the examples, the schema, the deadline and the settings.
    """
    return [
        *_check_words(tool),
        *_check_examples(tool),
        *_check_arguments(tool),
        *_check_limits(tool),
        *_check_settings(tool),
    ]


def _check_words(tool: Tool) -> Iterator[str]:
    if not _NAME.fullmatch(tool.name):
        yield f"name {tool.name!r}: use 3 to 64 lower-case letters, digits and underscores."
    if tool.spec.title == tool.name:
        yield "title: give a short Polish one, @tool(title=…); people see it beside each answer."
    description = tool.spec.description
    if len(description) < MIN_DESCRIPTION:
        yield "docstring: say in English what the tool is for; the router model reads it."
    elif not _REFUSAL.search(description):
        yield "docstring: say also what the tool is not for; that prevents wrong calls."
    if len(description) > MAX_DESCRIPTION:
        yield f"docstring: {len(description)} characters; keep it below {MAX_DESCRIPTION}."


def _check_examples(tool: Tool) -> Iterator[str]:
    examples = tool.spec.examples
    if len(examples) < MIN_EXAMPLES:
        yield f"examples: give at least {MIN_EXAMPLES} Polish prompts that need this tool."
    if len({example.casefold() for example in examples}) < len(examples):
        yield "examples: one is given twice."
    for example in examples:
        if not example.strip() or len(example) > MAX_EXAMPLE:
            yield f"example {example[:40]!r}: write 1 to {MAX_EXAMPLE} characters."


def _check_arguments(tool: Tool) -> Iterator[str]:
    for argument in tool.signature.arguments:
        where = f"argument {argument.name!r}"
        schema = tool.spec.properties.get(argument.name)
        if not isinstance(schema, Mapping) or not schema.get("description"):
            yield f"{where}: describe it, by Field(description=…) or under Args: in the docstring."
        if argument.is_required and argument.question is None and argument.kind is None:
            yield (
                f"{where}: add the Polish question for when it is missing, "
                "Field(json_schema_extra={'question': …})."
            )
        if isinstance(schema, Mapping):
            for keyword in sorted(set(_keywords(schema)) & _UNSUPPORTED):
                yield f"{where}: models do not understand {keyword!r}; use a simpler type."


def _keywords(schema: JsonObject) -> Iterator[str]:
    yield from schema
    for value in schema.values():
        yield from _keywords_within(value)


def _keywords_within(value: JsonValue) -> Iterator[str]:
    match value:
        case Mapping():
            yield from _keywords(value)
        case list():
            for item in value:
                yield from _keywords_within(item)


def _check_limits(tool: Tool) -> Iterator[str]:
    if not 0 < tool.deadline_s <= MAX_DEADLINE_S:
        yield f"deadline_s {tool.deadline_s:g}: choose more than 0 and at most {MAX_DEADLINE_S:g}."


def _check_settings(tool: Tool) -> Iterator[str]:
    for name, setting in tool.settings_model.model_fields.items():
        where = f"setting tools.{tool.key}.{name}"
        if setting.is_required():
            yield f"{where}: give it a default; without one the chatbot does not start."
        if not setting.description:
            yield f"{where}: describe it, by Field(description=…); it is printed for operators."
