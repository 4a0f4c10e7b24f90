"""Checkpoints on this machine: exact where they are whole, harmless where they are not."""

import json
from pathlib import Path

from scripted.tables import every_row

from serving.engines.budget.checkpoint import Checkpoint, Shape, read_checkpoint
from serving.engines.budget.known import read_table

CONFIG: dict[str, object] = {
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "hidden_size": 128,
    "vocab_size": 1000,
    "tie_word_embeddings": True,
}


def folder(place: Path, config: object = CONFIG, *, size: int = 2_000_000) -> Path:
    text = config if isinstance(config, str) else json.dumps(config)
    (place / "config.json").write_text(text, encoding="utf-8")
    (place / "model.safetensors").write_bytes(bytes(size))
    return place


def read(place: Path, quantisation: str | None = None) -> Checkpoint | None:
    return read_checkpoint(str(place), quantisation, read_table())


def test_a_folder_tells_size_and_shape(tmp_path: Path) -> None:
    assert read(folder(tmp_path)) == Checkpoint(
        weights=2_000_000, shape=Shape(layers=3, kv_heads=2, head_dim=32)
    )


def test_the_index_goes_before_the_files(tmp_path: Path) -> None:
    index = {"metadata": {"total_size": 16_060_522_496}, "weight_map": {}}
    (folder(tmp_path) / "model.safetensors.index.json").write_text(json.dumps(index))
    found = read(tmp_path)
    assert found is not None
    assert found.weights == 16_060_522_496


def test_a_head_dimension_of_its_own_and_no_groups(tmp_path: Path) -> None:
    config = CONFIG | {"head_dim": 64, "num_key_value_heads": None}
    found = read(folder(tmp_path, config))
    assert found is not None
    assert found.shape == Shape(layers=3, kv_heads=4, head_dim=64)


def test_the_text_part_of_a_model_that_sees(tmp_path: Path) -> None:
    found = read(folder(tmp_path, {"text_config": CONFIG}))
    assert found is not None
    assert found.shape == Shape(layers=3, kv_heads=2, head_dim=32)


def test_a_server_that_quantises_at_the_start_leaves_the_embeddings(tmp_path: Path) -> None:
    found = read(folder(tmp_path), "fp8")
    embedding = 1000 * 128
    assert found is not None
    assert found.weights == (1_000_000 - embedding) + embedding * 2


def test_a_checkpoint_that_is_quantised_is_as_large_as_it_is(tmp_path: Path) -> None:
    found = read(folder(tmp_path, CONFIG | {"quantization_config": {}}), "fp8")
    assert found is not None
    assert found.weights == 2_000_000


def test_a_gguf_file_is_as_large_as_it_is_and_known_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "Bielik-11B-v3.0-Instruct.Q4_K_M.gguf"
    path.write_bytes(bytes(1000))
    (tmp_path / "other.gguf").write_bytes(bytes(5000))
    found = read(path)
    assert found == Checkpoint(weights=1000, shape=Shape(layers=50, kv_heads=8, head_dim=128))


def test_a_gguf_in_parts_is_counted_whole(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"big-0000{number}-of-00002.gguf").write_bytes(bytes(1000))
    found = read(tmp_path / "big-00001-of-00002.gguf")
    assert found == Checkpoint(weights=2000, shape=None)


def test_what_is_not_there_is_no_checkpoint(tmp_path: Path) -> None:
    assert read(tmp_path / "nowhere") is None
    assert read(tmp_path) is None
    assert read(tmp_path / "nowhere.gguf") is None


@every_row(
    "config",
    [
        "",
        "{",
        "[]",
        "null",
        "\x00",
        '{"num_hidden_layers": 3',
        "[" * 100_000,
        json.dumps({"pad": "x" * 2_000_000}),
        json.dumps(CONFIG | {"num_hidden_layers": -1}),
        json.dumps(CONFIG | {"num_hidden_layers": 10**30}),
        json.dumps(CONFIG | {"num_hidden_layers": "3"}),
        json.dumps(CONFIG | {"num_hidden_layers": True}),
        json.dumps(CONFIG | {"num_attention_heads": 0}),
        json.dumps(CONFIG | {"hidden_size": None}),
        '{"num_hidden_layers": NaN, "num_attention_heads": Infinity}',
        '{"text_config": [], "num_hidden_layers": {}}',
    ],
)
def test_a_config_that_makes_no_sense_leaves_the_shape_open(tmp_path: Path, config: str) -> None:
    assert read(folder(tmp_path, config)) == Checkpoint(weights=2_000_000, shape=None)


@every_row(
    "index",
    [
        "",
        "[]",
        '{"metadata": 3}',
        '{"metadata": {"total_size": -1}}',
        '{"metadata": {"total_size": 1e99}}',
    ],
)
def test_an_index_that_makes_no_sense_leaves_the_files(tmp_path: Path, index: str) -> None:
    (folder(tmp_path) / "model.safetensors.index.json").write_text(index)
    found = read(tmp_path)
    assert found is not None
    assert found.weights == 2_000_000


def test_a_config_that_is_no_text_leaves_the_shape_open(tmp_path: Path) -> None:
    (folder(tmp_path) / "config.json").write_bytes(b"\xff\xfe{}")
    assert read(tmp_path) == Checkpoint(weights=2_000_000, shape=None)
