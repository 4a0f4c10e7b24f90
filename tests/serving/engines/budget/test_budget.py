"""The memory budget against figures worked out by hand from published shapes."""

from collections.abc import Mapping

import pytest
from scripted.tables import every_row

from serving.engines.budget import Budget, Hardware, check_budget, compute_budget, find_misfits
from serving.settings import HardwareSettings, Settings, SettingsError

GIB = 2**30
LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


def settings(**engines: Mapping[str, object]) -> Settings:
    """Engines on vLLM unless they say otherwise, each with its launch settings inline."""
    of_engine = {"kind", "model", "context_tokens", "dialect"}
    table = {
        name: {
            "kind": "vllm",
            "port": 8001 + number,
            "model": LLAMA,
            **{key: value for key, value in given.items() if key in of_engine},
            "launch": {key: value for key, value in given.items() if key not in of_engine},
        }
        for number, (name, given) in enumerate(engines.items())
    }
    return Settings.model_validate({"engines": table, "default_engine": next(iter(table))})


def budget(given: Settings, cards: int | None = 1, gib: float = 80.0, ram: float = 64.0) -> Budget:
    sizes = None if cards is None else (round(gib * GIB),) * cards
    return compute_budget(given, Hardware(cards=sizes, ram=round(ram * GIB)))


def messages(given: Settings, cards: int | None = 1, gib: float = 80.0, ram: float = 64.0) -> str:
    return "\n".join(misfit.message for misfit in find_misfits(budget(given, cards, gib, ram)))


@every_row(
    ("weights", "gigabytes"),
    [
        (LLAMA, 16.06),
        ("meta-llama/Llama-3.1-70B-Instruct", 141.1),
        ("speakleash/Bielik-11B-v3.0-Instruct", 22.34),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8", 9.08),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16", 5.73),
        ("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", 5.73),
        ("RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w8a8", 72.7),
        ("speakleash/Bielik-11B-v2.3-Instruct-W8A8-fp8", 11.43),
        ("CYFRAGOVPL/PLLuM-8x7B-chat", 93.4),
    ],
)
def test_weights_of_known_models(weights: str, gigabytes: float) -> None:
    need = budget(settings(one={"weights": weights})).places[0].entries[0].claim.need
    assert need is not None
    assert need.weights / 1e9 == pytest.approx(gigabytes, rel=0.005)


@pytest.mark.parametrize(
    ("model", "bytes_a_token"),
    [
        (LLAMA, 131_072),
        ("meta-llama/Llama-3.1-70B-Instruct", 327_680),
        ("speakleash/Bielik-11B-v3.0-Instruct", 204_800),
        ("CYFRAGOVPL/PLLuM-12B-instruct", 163_840),
    ],
)
def test_cache_of_one_context(model: str, bytes_a_token: int) -> None:
    need = budget(settings(one={"weights": model, "context_tokens": 4096})).places[0].entries[0]
    assert need.claim.need is not None
    assert need.claim.need.cache == bytes_a_token * 4096


@pytest.mark.parametrize(
    ("setting", "gigabytes"), [("Q4_K_M", 4.92), ("Q6_K", 6.59), ("Q8_0", 8.54), (None, 4.92)]
)
def test_llamacpps_quantisations(setting: str | None, gigabytes: float) -> None:
    given = settings(
        one={"kind": "llamacpp", "weights": "x/Llama-3.1-8B-GGUF", "quantisation": setting}
    )
    place = budget(given).places[0]
    assert place.name == "main memory"
    assert place.entries[0].claim.need is not None
    assert place.entries[0].claim.need.weights / 1e9 == pytest.approx(gigabytes, rel=0.01)


def test_two_cards_share_weights_and_heads() -> None:
    whole = budget(settings(one={})).places[0].entries[0].claim.need
    halves = budget(settings(one={"tensor_parallel": 2}), cards=2).places
    assert whole is not None
    for place in halves:
        half = place.entries[0].claim.need
        assert half is not None
        assert (half.weights, half.cache) == (whole.weights / 2, whole.cache / 2)


def test_a_pipeline_deals_out_the_layers() -> None:
    whole = budget(settings(one={})).places[0].entries[0].claim.need
    stage = budget(settings(one={"pipeline_parallel": 2}), cards=2).places[1].entries[0].claim.need
    assert whole is not None
    assert stage is not None
    assert (stage.weights, stage.cache) == (whole.weights / 2, whole.cache / 2)


def test_what_a_share_leaves_is_cache() -> None:
    entry = budget(settings(one={"gpu_share": 0.5})).places[0].entries[0]
    need = entry.claim.need
    assert need is not None
    assert entry.cached_tokens == (40 * GIB - need.weights - need.overhead) // 131_072


def test_llamacpp_reserves_a_context_for_every_slot() -> None:
    given = settings(one={"kind": "llamacpp", "sequences": 4, "context_tokens": 1024})
    need = budget(given).places[0].entries[0].claim.need
    assert need is not None
    assert need.cache == 4 * 1024 * 131_072


def test_a_model_that_fits_on_no_card_is_refused_with_figures() -> None:
    found = messages(settings(one={"weights": "meta-llama/Llama-3.1-70B-Instruct"}))
    assert "engines.one needs 136.4 GiB of card 0" in found
    assert "weights 131.4" in found
    assert "launch.tensor_parallel" in found


def test_a_share_that_is_too_small_names_the_one_that_would_do() -> None:
    given = settings(one={"gpu_share": 0.2})
    assert "its share is 16.0 GiB: raise launch.gpu_share to 0.24" in messages(given)
    assert messages(settings(one={"gpu_share": 0.24})) == ""


def test_a_context_that_is_too_long_names_the_one_that_would_do() -> None:
    given = settings(one={"gpu_share": 0.24, "context_tokens": 65_536})
    assert "lower context_tokens to 14080" in messages(given)
    assert messages(settings(one={"gpu_share": 0.24, "context_tokens": 14_080})) == ""


def test_shares_that_are_more_than_the_card_are_refused() -> None:
    halves = settings(one={"gpu_share": 0.5}, two={"gpu_share": 0.5})
    assert "needs 80.0 GiB (engines.one 40.0, engines.two 40.0), there are 77.6" in messages(halves)


def test_vllm_without_a_share_takes_nearly_all() -> None:
    assert messages(settings(one={})) == ""
    assert "card 0: needs" in messages(settings(one={}, two={}))


@pytest.mark.parametrize("kind", ["tgi", "tensorrt", "sglang"])
def test_a_server_that_fills_the_card_stands_alone(kind: str) -> None:
    assert messages(settings(one={"kind": kind})) == ""
    assert "card 0: needs" in messages(settings(one={"kind": kind}, two={"gpu_share": 0.3}))


def test_sglangs_share_is_one_of_what_is_free() -> None:
    given = settings(one={"kind": "sglang", "gpu_share": 0.4}, two={"gpu_share": 0.5})
    entry = budget(given).places[0].entries[0]
    assert (entry.taken, entry.granted) == (round(32 * GIB), round(16 * GIB))


def test_a_card_that_is_not_there_is_refused() -> None:
    assert "card 3 is not there (the machine has 2)" in messages(
        settings(one={"gpus": [3]}), cards=2
    )


def test_main_memory_has_a_budget_too() -> None:
    given = settings(one={"kind": "llamacpp", "quantisation": "Q4_K_M"})
    assert messages(given, ram=16.0) == ""
    assert "main memory: needs 6.6 GiB" in messages(given, ram=8.0)


def test_llamacpp_on_cards_that_are_named_splits_over_them() -> None:
    given = settings(one={"kind": "llamacpp", "quantisation": "Q8_0", "gpus": [0, 1]})
    assert messages(given, cards=2, gib=8.0) == ""
    assert "card 1: needs" in messages(given, cards=2, gib=6.0)


def test_ray_gets_the_cards_that_nothing_else_names() -> None:
    given = settings(
        one={"gpus": [1]}, two={"nodes": 2, "tensor_parallel": 2, "pipeline_parallel": 2}
    )
    places = {
        place.card: [entry.claim.server for entry in place.entries]
        for place in budget(given, cards=3).places
    }
    assert places == {0: ["engines.two"], 1: ["engines.one"], 2: ["engines.two"]}


def test_an_unknown_model_is_named_and_refused_only_for_its_share() -> None:
    given = settings(one={"weights": "org/nieznany", "gpu_share": 0.5})
    found = budget(given)
    assert found.unknown == ("engines.one",)
    assert find_misfits(found) == ()
    two = settings(one={"weights": "org/nieznany", "gpu_share": 0.5}, two={"gpu_share": 0.6})
    assert "card 0: needs 88.0 GiB" in messages(two)


def test_an_unknown_models_parameters_can_be_told() -> None:
    given = settings(one={"weights": "org/nieznany", "parameters": 3.0, "quantisation": "fp8"})
    need = budget(given).places[0].entries[0].claim.need
    assert need is not None
    assert (need.weights, need.cache) == (3_000_000_000, 0)


def test_a_quantisation_that_nobody_knows_makes_the_model_unknown() -> None:
    assert budget(settings(one={"quantisation": "cudowna"})).unknown == ("engines.one",)


def test_an_unknown_card_is_no_reason_to_refuse() -> None:
    found = budget(settings(one={}, two={}), cards=None)
    assert find_misfits(found) == ()
    assert found.places[0].size is None


def test_an_engine_that_is_started_elsewhere_takes_nothing() -> None:
    given = Settings.model_validate({
        "engines": {"one": {"kind": "vllm", "url": "http://gpu1:8001/v1", "model": LLAMA}}
    })
    assert budget(given).places == ()


def test_only_what_concerns_the_engine_stops_it() -> None:
    hardware = HardwareSettings(detect=False, card_gib=(80.0, 80.0))
    given = settings(one={"gpus": [0]}, two={"gpus": [1], "gpu_share": 0.1})
    given = given.model_copy(update={"hardware": hardware})
    check_budget(given, "one")
    with pytest.raises(SettingsError, match=r"engines\.two needs"):
        check_budget(given, "two")
    with pytest.raises(SettingsError, match="zwrotnica engines budget"):
        check_budget(given)


def pictures(**server: object) -> Settings:
    engine = {"kind": "zwrotnica", "url": "http://127.0.0.1:7870/v1"}
    return Settings.model_validate({"images": {"engine": engine, "server": server}})


def test_flux_whole_on_a_card_takes_its_33_gigabytes() -> None:
    need = budget(pictures()).places[0].entries[0].claim.need
    assert need is not None
    assert need.weights / 1e9 == pytest.approx(33.7, abs=0.1)
    assert "card 0: needs" in messages(pictures(), gib=40.0)


def test_flux_part_by_part_takes_its_largest_part_and_waits_in_main_memory() -> None:
    card, memory = budget(pictures(offload="model_cpu_offload")).places
    assert card.entries[0].claim.need is not None
    assert memory.entries[0].claim.need is not None
    assert card.entries[0].claim.need.weights / 1e9 == pytest.approx(23.8, abs=0.1)
    assert memory.entries[0].claim.need.weights / 1e9 == pytest.approx(33.7, abs=0.1)


def test_flux_layer_by_layer_fits_beside_others_on_a_small_card() -> None:
    small = {"offload": "sequential_cpu_offload", "vae_slicing": True, "max_pixels": 1_048_576}
    assert messages(pictures(**small), gib=8.0) == ""
    assert "main memory: needs" in messages(pictures(**small), gib=8.0, ram=32.0)


def test_tiles_spare_what_is_larger_than_a_tile_alone_for_each_picture_of_a_batch() -> None:
    def overhead(**server: object) -> int:
        need = budget(pictures(**server)).places[0].entries[0].claim.need
        assert need is not None
        return need.overhead

    megapixel = 1_048_576
    assert overhead(max_pixels=megapixel, vae_tiling=True) == overhead(max_pixels=megapixel)
    larger = overhead(max_pixels=2 * megapixel, vae_tiling=True)
    assert overhead(max_pixels=megapixel) < larger < overhead(max_pixels=2 * megapixel)


def test_pictures_on_the_processor_take_main_memory_alone() -> None:
    assert [place.card for place in budget(pictures(device="cpu")).places] == [None]
    assert [place.card for place in budget(pictures(), cards=0).places] == [None]


def test_an_unknown_picture_model_is_named() -> None:
    assert budget(pictures(model="org/malarz")).unknown == ("images.server",)


def test_pictures_from_elsewhere_take_nothing() -> None:
    engine = {"kind": "zwrotnica", "url": "http://gpu1:7870/v1"}
    given = Settings.model_validate({"images": {"engine": engine}})
    assert budget(given).places == ()
