import pytest

from chatbot.errors import EngineUnavailable, InvalidRequest
from chatbot.testing import ScriptedEngine
from chatbot.types import CallDelta, Delta, Usage
from serving.engines.readiness import make_token

END = Delta(finish="length")


@pytest.mark.parametrize(
    "token",
    [
        Delta(text="a"),
        Delta(reasoning="a"),
        Delta(calls=(CallDelta(index=0, name="a"),)),
        Delta(token_ids=(128_010,)),
        Delta(usage=Usage(prompt_tokens=5, completion_tokens=1)),
    ],
)
async def test_any_sign_of_a_token_will_do(token: Delta) -> None:
    engine = ScriptedEngine(script=[token, END])
    await make_token(engine)
    assert [request.sampling.max_tokens for request in engine.requests] == [1]


async def test_an_answer_without_a_token_is_none() -> None:
    usage = Delta(usage=Usage(prompt_tokens=5, completion_tokens=0))
    with pytest.raises(EngineUnavailable, match="'scripted' finished an answer without a token"):
        await make_token(ScriptedEngine(script=[usage, END]))


async def test_what_the_engine_says_is_passed_on() -> None:
    with pytest.raises(InvalidRequest, match="no chat template"):
        await make_token(ScriptedEngine(script=[InvalidRequest("no chat template")]))
