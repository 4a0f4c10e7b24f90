"""Our reference server on the tiny checkpoint: answers, ends, batches, sampling, refusals."""

import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openai
import pytest
from engines.engine_access import chat, connect, read_all, route
from engines.lessons import CHATS, EOT, LESSONS, Chat, Lesson
from engines.reference_server import QUIET, ReferenceServer, start
from engines.slow_twin import TINY
from engines.vllm_server import MODEL, PYTHON, is_idle, is_installed
from openai.types.chat import ChatCompletion
from scripted.http_client import RawClient, post
from scripted.missing import stop_without

from chatbot.errors import ErrorCode, InvalidRequest
from chatbot.types import RouterView, ToolSpec
from serving.engines.kinds import ENGINE_KINDS

pytestmark = [pytest.mark.engines, pytest.mark.timeout(200)]

KIND = ENGINE_KINDS["transformers"]
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


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReferenceServer]:
    if not is_installed():
        stop_without("torch and transformers are not installed; run: make test-engines")
    log = tmp_path_factory.mktemp("reference") / "server.log"
    with start(TINY, log, "--context", "4096", "--batch", "16", "--wait-ms", "100") as server:
        yield server.wait()


@pytest.fixture
def client(reference: ReferenceServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=reference.api, api_key="local", max_retries=0) as client:
        yield client


def complete(
    client: openai.OpenAI,
    prompt: str,
    *,
    temperature: float = 0.0,
    seed: int | None = None,
    max_tokens: int | None = None,
    **extra: object,
) -> ChatCompletion:
    return client.chat.completions.create(
        model=MODEL,
        messages=[{"role": "user", "content": prompt}],
        temperature=temperature,
        seed=seed,
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


@pytest.mark.parametrize("taught", CHATS, ids=lambda taught: taught.prompt)
async def test_a_chat_is_answered_as_taught(reference: ReferenceServer, taught: Chat) -> None:
    async with connect(reference, KIND) as engine:
        reply = await read_all(engine, chat(taught.prompt))
    assert (reply.text, reply.finish) == (taught.answer, "stop")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.prompt)
async def test_a_lesson_is_decided_as_taught(
    reference: ReferenceServer, tools: tuple[ToolSpec, ...], lesson: Lesson
) -> None:
    async with route(reference, kind=KIND) as router:
        decision = await router.decide(RouterView(tools=tools, prompt=lesson.prompt))
    calls = tuple((call.name, call.raw_arguments) for call in decision.calls)
    assert (decision.reason, calls) == (lesson.reason, lesson.calls)


async def test_usage_is_the_models_own_count(reference: ReferenceServer) -> None:
    async with connect(reference, KIND) as engine:
        reply = await read_all(engine, chat(CHATS[0].prompt))
    assert reply.usage is not None
    assert reply.usage.source == "engine"
    assert reply.usage.prompt_tokens == len(reference.chat_tokens(CHATS[0].prompt))
    assert reply.usage.completion_tokens == len(reference.tokens(CHATS[0].answer + EOT))


async def test_max_tokens_and_stop_sequences_end_an_answer(reference: ReferenceServer) -> None:
    async with connect(reference, KIND) as engine:
        cut = await read_all(engine, chat(LONG, max_tokens=5))
        stopped = await read_all(engine, chat(LONG, stop=(" sześć",)))
    assert cut.finish == "length"
    assert (stopped.text, stopped.finish) == ("jeden, dwa, trzy, cztery, pięć,", "stop")


async def test_too_long_a_prompt_is_the_callers_mistake(reference: ReferenceServer) -> None:
    async with connect(reference, KIND) as engine:
        with pytest.raises(InvalidRequest) as caught:
            await read_all(engine, chat("słowo " * 5000))
    assert caught.value.code == ErrorCode.CONTEXT_LENGTH_EXCEEDED


async def test_leaving_a_stream_ends_the_generation_within_a_second(
    reference: ReferenceServer,
) -> None:
    body = {
        "model": MODEL,
        "messages": [{"role": "user", "content": LONG}],
        "stream": True,
        "ignore_eos": True,
    }
    port = int(reference.url.rpartition(":")[2])
    async with RawClient(port) as client:
        await client.send(post("/v1/chat/completions", json.dumps(body).encode()))
        await client.read_until(b'"content":"j')
        assert reference.running() == 1
    assert await is_idle(reference, within_s=1.0)


def test_rows_of_one_batch_are_answered_as_each_alone(
    reference: ReferenceServer, client: openai.OpenAI
) -> None:
    batches = reference.metric("zwrotnica_reference_batches_total")
    with ThreadPoolExecutor(len(CHATS)) as pool:
        replies = list(pool.map(lambda taught: words(complete(client, taught.prompt)), CHATS))
    assert replies == [taught.answer for taught in CHATS]
    assert reference.metric("zwrotnica_reference_batches_total") - batches < len(CHATS)


def test_a_seed_gives_the_same_answer_again(client: openai.OpenAI) -> None:
    first, again, other = (
        words(complete(client, "Ala ma", temperature=2.0, seed=seed, max_tokens=40))
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_the_end_can_be_ignored(client: openai.OpenAI) -> None:
    reply = complete(client, CHATS[0].prompt, max_tokens=200, ignore_eos=True)
    assert reply.usage is not None
    assert (reply.usage.completion_tokens, reply.choices[0].finish_reason) == (200, "length")


def test_penalties_change_what_repeats_itself(client: openai.OpenAI) -> None:
    plain = complete(client, LONG, max_tokens=60)
    assert words(plain) != words(complete(client, LONG, max_tokens=60, repetition_penalty=2.0))
    assert words(plain) != words(complete(client, LONG, max_tokens=60, frequency_penalty=2.0))


@pytest.mark.usefixtures("reference")
def test_tokens_are_drawn_as_often_as_they_are_likely() -> None:
    shares = json.loads(run_script(SHARES))
    assert shares["all"] == pytest.approx([0.5, 0.3, 0.2], abs=0.04)
    assert shares["top_p"] == pytest.approx([0.625, 0.375, 0.0], abs=0.04)
    assert shares["min_p"] == pytest.approx([0.625, 0.375, 0.0], abs=0.04)
    assert shares["top_k"] == shares["cold"] == [1.0, 0.0, 0.0]
    assert shares["said"] == [0.0, 1.0, 0.0]


@pytest.mark.usefixtures("reference")
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


@pytest.mark.usefixtures("reference")
def test_sigterm_ends_the_server_with_code_0(tmp_path: Path) -> None:
    with start(TINY, tmp_path / "server.log") as server:
        server.wait()
        server.process.terminate()
        assert server.process.wait(timeout=20) == 0
