import subprocess
import sys

import pytest

FOREIGN = "morfeusz2 sympy rapidfuzz openai sqlalchemy gradio"
PROGRAM = """
import importlib, sys
importlib.import_module(sys.argv[1])
print(*sys.modules.keys() & set(sys.argv[2:]))
"""


@pytest.mark.parametrize("module", ["serving.images.__main__", "serving.reference.__main__"])
def test_a_model_server_needs_nothing_of_the_chatbot(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, module, *FOREIGN.split()],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == []
