"""The tool for mathematics: reads here, computes in a killable process."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from chatbot.errors import ToolError, ToolTimeout, WorkerBusy, WorkerError, WorkerTimeout
from chatbot.tools.context import ToolContext
from chatbot.tools.mathematics.answer import Answer
from chatbot.tools.mathematics.expression import Expression
from chatbot.tools.mathematics.reading import read
from chatbot.tools.orders import ByName
from chatbot.tools.tool import tool
from chatbot.types import Attribution, Entity, ToolResult

WORKER_MODULE = "chatbot.tools.mathematics.calculation"
"""What a worker should have imported beforehand; it loads SymPy, which the gateway never does."""

_CALCULATE: ByName[[Expression], Answer] = ByName(f"{WORKER_MODULE}:calculate")
_SOURCE = Attribution(source="SymPy", url="https://www.sympy.org", licence="BSD-3-Clause")


class MathematicsSettings(BaseModel):
    """Settings of the tool, ``[tools.mathematics]``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    time_limit_s: float = Field(
        default=3.0, gt=0, le=60, description="Seconds after which a calculation is ended."
    )


@tool(
    title="Matematyka",
    key="mathematics",
    examples=(
        "Ile to 17 * 23?",
        "Oblicz pierwiastek z 289",
        "Ile wynosi całka z x^3 od 0 do 2?",
        "Rozwiąż równanie x^2 - 5x + 6 = 0",
        "Rozwiąż układ równań: 2a + b = 7, a - b = 2",
        "Policz pochodną sin(x)*x",
        "Granica sin(x)/x w zerze",
        "Wyznacznik macierzy [[1, 2], [3, 4]]",
        "Rozłóż 360 na czynniki pierwsze",
        "Ile to 15% z 80?",
    ),
    settings=MathematicsSettings,
    answer="verbatim",
)
def calculate(
    expression: Annotated[
        str,
        Field(
            description="One expression in SymPy's syntax, without strings or assignments: "
            "sqrt(289), integrate(x**3, (x, 1, 2)), diff(sin(x)*x, x), limit(sin(x)/x, x, 0), "
            "solve([Eq(2*a + b, 7), Eq(a - b, 2)], [a, b]), Matrix([[1, 2], [3, 4]]).det()",
            json_schema_extra={"question": "Co mam policzyć?"},
        ),
    ],
    ctx: ToolContext[MathematicsSettings],
) -> ToolResult:
    """Calculates exactly: arithmetic, percentages, equations, derivatives, integrals, limits,
    sums, matrices, primes. Not for explaining mathematics, proofs, dates or currencies."""  # noqa: D205, D209 - the whole docstring is what the router model reads
    answer = _compute(read(expression), ctx)
    return ToolResult(
        content=answer.content,
        plain=answer.plain,
        attribution=(_SOURCE,),
        state=(
            Entity(kind="expression", value=" ".join(expression.split())),
            Entity(kind="result", value=answer.result),
        ),
    )


def _compute(tree: Expression, ctx: ToolContext[MathematicsSettings]) -> Answer:
    limit = ctx.settings.time_limit_s
    try:
        return ctx.workers.call(limit, _CALCULATE, tree)
    except WorkerTimeout as error:
        seconds = f"{limit:g}".replace(".", ",")
        raise ToolTimeout(
            f"Obliczenie trwało ponad {seconds} s, więc zostało przerwane. Uprość wyrażenie "
            "albo zmniejsz liczby."
        ) from error
    except WorkerBusy as error:
        raise ToolError(
            "Trwają inne długie obliczenia. Spróbuj ponownie za kilka sekund."
        ) from error
    except WorkerError as error:
        raise ToolError(
            "Na to obliczenie zabrakło pamięci. Uprość wyrażenie albo zmniejsz liczby."
        ) from error
