"""The kinds of image servers as data: what each takes beyond prompt, size and number."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True, slots=True)
class ImageKind:
    """One kind of server behind `POST /v1/images/generations`.

    ``takes_format`` says that ``response_format`` is known (else base64 comes in any case),
    ``takes_seed`` that ``seed`` is, ``reports_steps`` that ``stream: true`` gives an event for
    each step of the model. ``is_external`` is a provider outside: proxies of the environment
    count, and so does money.
    """

    name: str
    takes_format: bool = False
    takes_seed: bool = False
    reports_steps: bool = False
    is_external: bool = False


_ZWROTNICA = ImageKind(name="zwrotnica", takes_format=True, takes_seed=True, reports_steps=True)
_OPENAI = ImageKind(name="openai", is_external=True)
_COMPATIBLE = ImageKind(name="compatible", takes_format=True, takes_seed=True)

IMAGE_KINDS: Mapping[str, ImageKind] = MappingProxyType({
    kind.name: kind for kind in (_ZWROTNICA, _OPENAI, _COMPATIBLE)
})
"""Every kind by name.

``zwrotnica`` is our own server (`serving.images`); ``openai`` is OpenAI itself, whose image models
refuse ``response_format`` and ``seed``; ``compatible`` is any other server of the protocol, with
the ``seed`` that vLLM-Omni, LocalAI and SGLang take.
"""
