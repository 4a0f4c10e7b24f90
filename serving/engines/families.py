"""The model families as data: how their makers publish that answers are drawn and prompted."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from chatbot.types import Sampling

_NOTHING = Sampling()


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """One family of models, as ``models`` lists them.

    ``sampling`` and ``system_prompt`` are what its makers publish, and nothing where no
    recommendation of theirs could be confirmed; ``source`` says in words where each stands.
    ``dialect`` names the dialect in which it calls tools; ``None`` where its makers document none,
    and then it cannot route.
    """

    name: str
    models: tuple[str, ...]
    source: str
    sampling: Sampling = _NOTHING
    system_prompt: str | None = None
    dialect: str | None = None


_IN_POLISH = "Odpowiadaj krótko, precyzyjnie i wyłącznie w języku polskim."

_BIELIK_V2_3 = Family(
    name="bielik-v2.3",
    models=("speakleash/Bielik-11B-v2.2-Instruct", "speakleash/Bielik-11B-v2.3-Instruct"),
    source="Temperature: parameters of SpeakLeash's own release for Ollama, the same for v2.0 to "
    "v2.3. System prompt: public example code for v2.2, the same as on the card of v3.0 4.5B.",
    sampling=Sampling(temperature=0.2),
    system_prompt=_IN_POLISH,
)
_BIELIK_V2_6 = Family(
    name="bielik-v2.6",
    models=("speakleash/Bielik-11B-v2.5-Instruct", "speakleash/Bielik-11B-v2.6-Instruct"),
    source="No recommendation could be confirmed.",
    dialect="bielik",
)
_BIELIK_V3 = Family(
    name="bielik-v3",
    models=("speakleash/Bielik-11B-v3.0-Instruct",),
    source="No recommendation could be confirmed.",
    dialect="bielik",
)
_BIELIK_V3_SMALL = Family(
    name="bielik-v3-small",
    models=("speakleash/Bielik-4.5B-v3.0-Instruct",),
    source="Temperature: head of the card, inference parameters. System prompt: example of the "
    "card, section Chat template.",
    sampling=Sampling(temperature=0.4),
    system_prompt=_IN_POLISH,
)
_PLLUM = Family(
    name="pllum",
    models=(
        "CYFRAGOVPL/Llama-PLLuM-8B-instruct",
        "CYFRAGOVPL/PLLuM-12B-instruct",
        "CYFRAGOVPL/PLLuM-8x7B-nc-instruct",
        "CYFRAGOVPL/Llama-PLLuM-70B-instruct",
    ),
    source="No recommendation could be confirmed; the file generation_config.json of PLLuM-8x7B "
    "names no sampling.",
)
_LLAMA = Family(
    name="llama3.1",
    models=("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-70B-Instruct"),
    source="The file generation_config.json beside the weights.",
    sampling=Sampling(temperature=0.6, top_p=0.9),
    dialect="llama3.1",
)

FAMILIES: Mapping[str, Family] = MappingProxyType({
    family.name: family
    for family in (_BIELIK_V2_3, _BIELIK_V2_6, _BIELIK_V3, _BIELIK_V3_SMALL, _PLLUM, _LLAMA)
})
"""Every family by name; ``models`` are examples for people, never compared with a model's name."""
