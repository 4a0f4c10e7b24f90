"""Mathematics: reads an expression, computes it in a killable process, shows it in Polish."""

from chatbot.tools.mathematics.tool import WORKER_MODULE, MathematicsSettings, calculate

__all__ = ["WORKER_MODULE", "MathematicsSettings", "calculate"]
