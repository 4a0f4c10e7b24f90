"""What our reference server has alone: static batches, its own sampling, what it cannot load."""

import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai
import pytest
from engines.environment import PYTHON, QUIET
from engines.lessons import CHATS
from engines.model_server import ModelServer
from engines.slow_twin import TINY
from openai.types.chat import ChatCompletion

pytestmark = [pytest.mark.engines, pytest.mark.timeout(400)]

LONG = "Policz słownie od jednego do trzydziestu."
SHARES = """
import json
import torch
from serving.reference.token_choice import TokenChooser
from serving.reference.token_model import Prompt, RowSampling
told = {}
for name, fields in {
    "all": {}, "top_p": {"top_p": 0.75}, "top_k": {"top_k": 1}, "min_p": {"min_p": 0.5},
    "cold": {"temperature": 0.0}, "said": {"temperature": 0.0, "repetition_penalty": 2.0},
}.items():
    rows = [Prompt(ids=(0,), sampling=RowSampling(seed=seed, **fields)) for seed in range(4000)]
    chooser = TokenChooser(rows, torch.device("cpu"))
    logits = torch.tensor([0.5, 0.3, 0.2]).log().add(2.0).repeat(len(rows), 1)
    told[name] = (chooser.choose(logits).bincount(minlength=3) / len(rows)).tolist()
print(json.dumps(told))
"""
ATTENTION = """
import json, sys
import torch
from serving.reference.causal_lm import CausalLanguageModel
from serving.reference.options import ModelOptions
CausalLanguageModel(ModelOptions(folder=sys.argv[1], device="cpu")).load()
print(json.dumps(torch.backends.cuda.cudnn_sdp_enabled()))
"""
FAILURES = """
import json
from chatbot.errors import ZwrotnicaError
from serving.reference.causal_lm import CausalLanguageModel
from serving.reference.options import ModelOptions
import sys
told = []
for wrong in json.loads(sys.argv[1]):
    try:
        CausalLanguageModel(ModelOptions(**wrong)).load()
    except ZwrotnicaError as error:
        told.append(error.message)
print(json.dumps(told))
"""


@pytest.fixture
def client(reference: ModelServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=reference.api, api_key=reference.key, max_retries=0) as client:
        yield client


def complete(
    client: openai.OpenAI,
    prompt: str,
    *,
    max_tokens: int | None = None,
    **extra: object,
) -> ChatCompletion:
    return client.chat.completions.create(
        model="llama",
        messages=[{"role": "user", "content": prompt}],
        temperature=0.0,
        max_tokens=max_tokens,
        extra_body=extra,
    )


def words(reply: ChatCompletion) -> str | None:
    return reply.choices[0].message.content


def run_script(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [str(PYTHON), "-c", script, *arguments],
        check=True,
        env=os.environ | QUIET,
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()[-1]


def test_rows_of_one_batch_are_answered_as_each_alone(
    reference: ModelServer, client: openai.OpenAI
) -> None:
    batches = reference.metric("zwrotnica_reference_batches_total")
    with ThreadPoolExecutor(len(CHATS)) as pool:
        replies = list(pool.map(lambda taught: words(complete(client, taught.prompt)), CHATS))
    assert replies == [taught.answer for taught in CHATS]
    assert reference.metric("zwrotnica_reference_batches_total") - batches < len(CHATS)


def test_the_end_can_be_ignored(client: openai.OpenAI) -> None:
    reply = complete(client, CHATS[0].prompt, max_tokens=200, ignore_eos=True)
    assert reply.usage is not None
    assert (reply.usage.completion_tokens, reply.choices[0].finish_reason) == (200, "length")


def test_penalties_change_what_repeats_itself(client: openai.OpenAI) -> None:
    plain = complete(client, LONG, max_tokens=60)
    assert words(plain) != words(complete(client, LONG, max_tokens=60, repetition_penalty=2.0))
    assert words(plain) != words(complete(client, LONG, max_tokens=60, frequency_penalty=2.0))


@pytest.mark.usefixtures("servers")
def test_tokens_are_drawn_as_often_as_they_are_likely() -> None:
    shares = json.loads(run_script(SHARES))
    assert shares["all"] == pytest.approx([0.5, 0.3, 0.2], abs=0.04)
    assert shares["top_p"] == pytest.approx([0.625, 0.375, 0.0], abs=0.04)
    assert shares["min_p"] == pytest.approx([0.625, 0.375, 0.0], abs=0.04)
    assert shares["top_k"] == shares["cold"] == [1.0, 0.0, 0.0]
    assert shares["said"] == [0.0, 1.0, 0.0]


@pytest.mark.usefixtures("servers")
def test_a_checkpoint_that_cannot_be_served_is_told(tmp_path: Path) -> None:
    for file in TINY.iterdir():
        if file.name != "chat_template.jinja":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    wrong = [
        {"folder": "/nowhere"},
        {"folder": str(tmp_path)},
        {"folder": str(TINY), "context": 10**6},
        {"folder": str(TINY), "device": "cuda"},
    ]
    told = json.loads(run_script(FAILURES, json.dumps(wrong)))
    wanted = ["cannot be loaded", "no chat template", "the checkpoint's context is", "no card"]
    assert len(told) == len(wanted)
    assert all(words in message for words, message in zip(wanted, told, strict=True))


def test_attention_is_never_left_to_cudnn() -> None:
    assert json.loads(run_script(ATTENTION, str(TINY))) is False
