"""Makes a tool's JSON Schema and validation from its function's signature and docstring."""

import inspect
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo

from chatbot.errors import ToolArgumentError
from chatbot.tools.context import ToolContext
from chatbot.tools.echo import echo
from chatbot.types import JsonObject, JsonValue, Name, NameKind, WrittenIn

_SECTION = re.compile(
    r"^(Args|Arguments|Returns|Raises|Yields|Examples?|Notes?):[ \t]*$", re.MULTILINE
)
_ARGUMENT = re.compile(r"^[ \t]+(\w+)(?: \([^)]*\))?:[ \t]*(.+(?:\n[ \t]{6,}.+)*)", re.MULTILINE)
_OURS = frozenset({"title", "question"})
_MESSAGE_LENGTH = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Argument:
    """One argument of a tool: whether it must be given, and how to ask for it."""

    name: str
    is_required: bool
    question: str | None
    kind: NameKind | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Signature:
    """What a function's signature and docstring say; ``parameters`` is a JSON Schema object.

    ``context`` is the name of the parameter that takes the `ToolContext`, if there is one.
    """

    description: str
    parameters: JsonObject
    arguments: tuple[Argument, ...]
    context: str | None
    model: type[BaseModel]

    def read(self, arguments: JsonObject) -> BaseModel:
        """Validate arguments, coerce them and fill in defaults; unknown ones are left out.

        Models write ``""`` or ``null`` for what they do not know: an optional argument left blank
        has its default.

        Raises:
            ToolArgumentError: with a Polish message; missing and blank required ones first.
        """
        for argument in self.arguments:
            if argument.is_required and _is_blank(arguments.get(argument.name)):
                raise ToolArgumentError(
                    f"Brakuje argumentu „{argument.name}”.",
                    argument=argument.name,
                    is_missing=True,
                )
        given = {name: value for name, value in arguments.items() if not _is_blank(value)}
        try:
            return self.model.model_validate(given)
        except ValidationError as error:
            raise _unusable(error) from error


def read_signature(function: Callable[..., object], name: str) -> Signature:
    """Read the signature and the Google-style docstring of a tool's function.

    Raises:
        TypeError: the function cannot be a tool: an argument without a type, ``*args``, ….
    """
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters
    context = next((p for p in parameters if _is_context(p, hints.get(p))), None)
    fields = {
        parameter.name: _field(name, parameter, hints)
        for parameter in parameters.values()
        if parameter.name != context
    }
    description, said = _read_docstring(inspect.getdoc(function) or "")
    # The fields are (type, default) pairs, which create_model's overloads cannot express.
    model: type[BaseModel] = create_model(  # type: ignore[call-overload]
        name,
        __config__=ConfigDict(str_strip_whitespace=True, protected_namespaces=(), frozen=True),
        **fields,
    )
    return Signature(
        description=description,
        parameters=_parameters(model, said, hints),
        arguments=tuple(_argument(n, f, hints[n]) for n, f in model.model_fields.items()),
        context=context,
        model=model,
    )


def _is_context(name: str, hint: object) -> bool:
    return name == "ctx" or (typing.get_origin(hint) or hint) is ToolContext


def _field(
    tool: str, parameter: inspect.Parameter, hints: Mapping[str, object]
) -> tuple[object, object]:
    where = f"argument {parameter.name!r} of tool {tool!r}"
    if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
        raise TypeError(f"{where} is variadic; give every argument its own name and type.")
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise TypeError(f"{where} is positional-only; tools are called by name.")
    if parameter.name not in hints:
        raise TypeError(f"{where} has no type; annotate it, e.g. {parameter.name}: str.")
    if parameter.name.startswith("_") or hasattr(BaseModel, parameter.name):
        raise TypeError(f"{where} has a name that pydantic keeps for itself; rename it.")
    default = ... if parameter.default is parameter.empty else parameter.default
    return hints[parameter.name], default


def _argument(name: str, field: FieldInfo, hint: object) -> Argument:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    question = extra.get("question")
    return Argument(
        name=name,
        is_required=field.is_required(),
        question=str(question) if question else None,
        kind=next((mark.kind for mark in _marks(hint) if isinstance(mark, Name)), None),
    )


def _marks(hint: object) -> Iterator[Name | WrittenIn]:
    """Every mark of ours in an annotation, also in ``Annotated[str, Name("place")] | None``."""
    for part in (*typing.get_args(hint), *getattr(hint, "__metadata__", ())):
        if isinstance(part, Name | WrittenIn):
            yield part
        else:
            yield from _marks(part)


def _parameters(
    model: type[BaseModel], said: Mapping[str, str], hints: Mapping[str, object]
) -> JsonObject:
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    properties: dict[str, JsonValue] = {}
    for name, raw in schema.get("properties", {}).items():
        cleaned = _clean(raw, definitions, ())
        if not isinstance(cleaned, dict):
            raise TypeError(f"The schema of {name!r} is no object.")
        if name in said:
            cleaned.setdefault("description", said[name])
        for mark in _marks(hints[name]):
            if isinstance(mark, Name):
                cleaned["x-name"] = mark.kind
            else:
                cleaned["x-language"] = mark.language
        properties[name] = cleaned
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}


def _clean(schema: JsonValue, definitions: JsonObject, inside: tuple[str, ...]) -> JsonValue:
    """Put definitions in place and leave out what no model needs (titles, our own questions)."""
    if isinstance(schema, list):
        return [_clean(item, definitions, inside) for item in schema]
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target = reference.removeprefix("#/$defs/")
        if target in inside:
            raise TypeError(f"The type {target!r} contains itself; tools need a finite schema.")
        found = _clean(definitions[target], definitions, (*inside, target))
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return {**(found if isinstance(found, dict) else {}), **rest}
    return {
        key: _clean_properties(value, definitions, inside)
        if key == "properties"
        else _clean(value, definitions, inside)
        for key, value in schema.items()
        if key not in _OURS
    }


def _clean_properties(
    value: JsonValue, definitions: JsonObject, inside: tuple[str, ...]
) -> JsonValue:
    """Clean every property's schema; a property may well be called "title"."""
    if not isinstance(value, dict):
        return value
    return {name: _clean(schema, definitions, inside) for name, schema in value.items()}


def _read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """The description before any section, and what the section ``Args:`` says of each argument."""
    sections = list(_SECTION.finditer(text))
    description = text[: sections[0].start()] if sections else text
    said: dict[str, str] = {}
    for number, section in enumerate(sections):
        if section[1] in {"Args", "Arguments"}:
            end = sections[number + 1].start() if number + 1 < len(sections) else len(text)
            found = _ARGUMENT.findall(text[section.end() : end])
            said = {name: " ".join(words.split()) for name, words in found}
    return "\n".join(line.rstrip() for line in description.strip().splitlines()), said


def _is_blank(value: JsonValue) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _unusable(error: ValidationError) -> ToolArgumentError:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    context = first.get("ctx", {})
    match first["type"]:
        case "value_error":
            message = echo(context["error"], longest=_MESSAGE_LENGTH)
        case "literal_error" | "enum":
            choices = re.sub("'([^']*)'", r"„\1”", context["expected"].replace(" or ", " albo "))
            message = f"Argument „{name}” może mieć tylko wartości: {choices}."
        case _:
            message = f"Nie rozumiem wartości „{echo(first['input'])}” (argument „{name}”)."
    return ToolArgumentError(message, argument=name)
