"""Made-up requests and rounds of the engine benchmark, and records of them."""

from evals.bench.engine.experience import Reader
from evals.bench.engine.loads import Load
from evals.bench.engine.prompts import read_prompts
from evals.bench.engine.record import Record, Server, build_header
from evals.bench.engine.runs import Plan
from evals.bench.engine.samples import Cell, Round, Sample
from evals.bench.engine.targets import Target

READER = Reader(first_s=1.0, speed=5.0)
CELL = Cell(target="one", load="2", replies="stream")
PLAN = Plan(
    targets=(Target(name="one", url="http://127.0.0.1:1/v1", model="bielik"),),
    loads=(Load(batch=2),),
    replies=("stream",),
    prompts=read_prompts(),
    rounds=1,
    requests=3,
    seed=1,
)
SERVER = Server(
    name="one", url="http://x/v1", model="bielik", answers=3, reported=30, retokenized=30
)
HEADER = build_header(PLAN, [SERVER], limit_s=60.0, hardware="two cores", reader=READER)


def sample(tokens: int, ended_ms: float, *, place: int = 0, turn: int = 0) -> Sample:
    pieces = tuple(ended_ms * (one + 1) / tokens for one in range(tokens))
    return Sample(
        cell=CELL,
        round=turn,
        place=place,
        prompt="pl-short-1",
        due_s=0.0,
        pieces_ms=pieces,
        ended_ms=ended_ms,
        tokens=tokens,
        finish="stop",
    )


def whole_round(number: int, *, seconds: float = 2.0, tokens: int = 100) -> Round:
    return Round(
        cell=CELL, round=number, seconds=seconds, client_cpu_s=0.1, tokens=tokens, failed=0
    )


def record_of(label: str, *, slowness: float) -> Record:
    """Four rounds of eight answers, so many times slower than those of slowness 1."""
    lengths = [10, 20, 40, 80, 15, 25, 50, 100]
    return Record(
        label=label,
        header=HEADER,
        samples=tuple(
            sample(tokens, slowness * (10 * tokens + turn), place=place, turn=turn)
            for turn in range(4)
            for place, tokens in enumerate(lengths)
        ),
        rounds=tuple(whole_round(turn, seconds=slowness * (2 + turn / 10)) for turn in range(4)),
    )
