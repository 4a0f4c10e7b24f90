"""Where servers lie: on which cards of this machine, or in its main memory."""

from collections.abc import Mapping
from itertools import count, islice
from typing import Final, TypeAlias

from serving.settings import LaunchSettings, Settings

Places: TypeAlias = tuple[int | None, ...]
"""Numbers of cards; ``None`` is main memory."""
MEMORY: Final[Places] = (None,)


def place_engines(settings: Settings, *, cards: int | None, taken: Places) -> Mapping[str, Places]:
    """The places of every engine that is started here, one for each part of its model.

    Args:
        settings: all settings.
        cards: how many cards there are; ``None``: unknown.
        taken: where the image server lies.

    A model over several machines gets the cards that nothing else names: Ray deals out what it is
    started with.
    """
    launches = {name: e.launch for name, e in settings.engines.items() if e.launch is not None}
    found = {
        name: _place(settings.engines[name].kind, launch, cards)
        for name, launch in launches.items()
        if launch.nodes == 1
    }
    used = {place for places in (*found.values(), taken) for place in places}
    for name, launch in launches.items():
        if launch.nodes > 1:
            free = (number for number in count() if number not in used)
            found[name] = tuple(islice(free, _ranks(launch) // launch.nodes))
            used.update(found[name])
    return found


def _place(kind: str, launch: LaunchSettings, cards: int | None) -> Places:
    match kind, launch.gpus:
        case _, ():
            return MEMORY
        case "llamacpp", None:
            return MEMORY  # it moves to a card what has room there
        case "transformers", None:
            return MEMORY if cards == 0 else (0,)
        case "transformers", (first, *_):
            return (first,)
        case _, None:
            return tuple(range(_ranks(launch)))
        case _, gpus:
            return gpus


def _ranks(launch: LaunchSettings) -> int:
    return launch.tensor_parallel * launch.pipeline_parallel
