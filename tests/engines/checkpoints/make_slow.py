"""Makes the slow twin of the tiny checkpoint: the same answers, at the pace of a large model.

Layers that add nothing are appended until there are `LAYERS` of 6.3 million parameters each, which
have to be read for each token: about 25 ms in 32 bits where a core is free. The number is fixed, so
that the pace is the machine's alone; the tests measure and report it.
Needs the environment of the engines (torch, safetensors). Usage: ``make_slow.py TINY FOLDER``.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

LAYERS = 9
WIDE = 16_384  # the width of the layers that are wide for nothing


def widened(tensors: Mapping[str, torch.Tensor]) -> Iterator[tuple[str, torch.Tensor]]:
    """The tiny model's tensors, each feed-forward net as wide as `WIDE` by zeros."""
    for name, tensor in tensors.items():
        if name.endswith(("gate_proj.weight", "up_proj.weight")):
            yield name, torch.nn.functional.pad(tensor, (0, 0, 0, WIDE - tensor.shape[0]))
        elif name.endswith("down_proj.weight"):
            yield name, torch.nn.functional.pad(tensor, (0, WIDE - tensor.shape[1]))
        else:
            yield name, tensor


def idle_layer(
    tensors: Mapping[str, torch.Tensor], index: int
) -> Iterator[tuple[str, torch.Tensor]]:
    """A layer like the first that computes in full and then adds zero."""
    first = "model.layers.0."
    for name, tensor in tensors.items():
        if name.startswith(first):
            silent = name.endswith(("o_proj.weight", "down_proj.weight"))
            copy = torch.zeros_like(tensor) if silent else tensor.clone()
            yield f"model.layers.{index}.{name.removeprefix(first)}", copy


def main(tiny: str, folder: str) -> None:
    """Read the checkpoint ``tiny`` and write its slow twin into ``folder``."""
    source, target = Path(tiny), Path(folder)
    shutil.copytree(source, target, dirs_exist_ok=True)
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    tensors = dict(widened(load_file(source / "model.safetensors")))
    for index in range(int(config["num_hidden_layers"]), LAYERS):
        tensors |= dict(idle_layer(tensors, index))
    config |= {"num_hidden_layers": LAYERS, "intermediate_size": WIDE}
    (target / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    save_file(tensors, target / "model.safetensors", metadata={"format": "pt"})


if __name__ == "__main__":
    main(*sys.argv[1:])
