"""The engine that is always there: in process, without a model, it only routes."""

import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import date
from zoneinfo import ZoneInfo

from anyio import to_thread
from anyio.lowlevel import checkpoint

from chatbot.ports import Clock
from chatbot.router.detector import DetectedCall, Detector
from chatbot.types import DEFAULT_FUNCTION, ChatRequest, Delta, Usage

TAG = "<|python_tag|>"
TAG_ID = 128010
"""The token that opens a call in Llama 3.1's format, and its number in that model's tokenizer."""

_NOTHING_USED = Usage(prompt_tokens=0, completion_tokens=0, source="zero")
_ANSWER = (
    "Na tę wiadomość odpowiedziałby model językowy, ale żaden nie jest podłączony. ",
    "Sam rozpoznaję tylko prośby, które obsługują narzędzia, i przekazuję je dalej. ",
    "Możesz mnie zapytać na przykład tak:\n\n",
    "- **pogoda**: „Czy w Kudowie-Zdroju pada?”\n",
    "- **Wikipedia**: „Kim była Irena Sendlerowa?”\n",
    "- **matematyka**: „Ile wynosi całka z x^3 od 0 do 2?”\n",
    "- **obraz**: „Wygeneruj obraz psa i kota”\n\n",
    "Aby podłączyć model językowy, uruchom serwer zgodny z API OpenAI (na przykład vLLM) ",
    "i wpisz jego adres do pliku `zwrotnica.toml`:\n\n",
    '```toml\n[engines.bielik]\nkind = "vllm"\nurl = "http://127.0.0.1:8000/v1"\n```\n\n',
    "Zamiast pliku wystarczą zmienne `ZWROTNICA_ENGINES__BIELIK__KIND` ",
    "i `ZWROTNICA_ENGINES__BIELIK__URL`. Potem uruchom Zwrotnicę ponownie.",
)


class EmbeddedEngine:
    """A `ChatEngine` without a model.

    Offered tools, it answers in Llama 3.1's format with what a local detector found in the last
    message: one or several calls, or the default function. Offered none, it says in Polish that no
    language model is connected, what can be asked nevertheless, and how to connect one. It reads
    no sampling parameter and uses no tokens.
    """

    def __init__(
        self,
        *,
        detector: Detector,
        name: str = "embedded",
        clock: Clock | None = None,
        timezone: str = "Europe/Warsaw",
    ) -> None:
        """Take a detector; ``clock`` and ``timezone`` make "15 lipca" an ISO date."""
        self._detector = detector
        self._name = name
        self._clock = clock
        self._timezone = ZoneInfo(timezone)

    @property
    def name(self) -> str:
        """The engine's configured name."""
        return self._name

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncIterator[AsyncIterator[Delta]]:
        """Give the verdict on the last message, or the answer that no model is connected."""
        if not request.tools:
            yield _play(Delta(text=piece) for piece in _ANSWER)
            return
        prompt = request.messages[-1].text if request.messages else ""
        tools = tuple(spec for spec in request.tools if spec.name != DEFAULT_FUNCTION)
        detection = await to_thread.run_sync(
            lambda: self._detector.detect(prompt, tools, today=self._today())
        )
        token_ids = (TAG_ID,) if request.token_ids else ()
        opening = Delta(text=TAG, token_ids=token_ids)
        yield _play((opening, Delta(text=write_calls(detection.calls))))

    def _today(self) -> date | None:
        return None if self._clock is None else self._clock.now().astimezone(self._timezone).date()


def write_calls(calls: Iterable[DetectedCall]) -> str:
    """Write calls as Llama 3.1 does after its tag, joined by "; "; none is the default function."""
    written = [{"name": call.name, "parameters": dict(call.arguments)} for call in calls]
    chosen = written or [{"name": DEFAULT_FUNCTION, "parameters": {}}]
    return "; ".join(json.dumps(call, ensure_ascii=False) for call in chosen)


async def _play(deltas: Iterable[Delta]) -> AsyncIterator[Delta]:
    for delta in deltas:
        await checkpoint()
        yield delta
    yield Delta(finish="stop", usage=_NOTHING_USED)
