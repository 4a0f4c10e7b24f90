import subprocess
import sys

SERVERS = ("serving.images.__main__", "serving.reference.__main__")
FOREIGN = "morfeusz2 sympy rapidfuzz openai sqlalchemy gradio"
PROGRAM = """
import importlib, sys
for module in sys.argv[2:]:
    importlib.import_module(module)
    print(*sys.modules.keys() & set(sys.argv[1].split()))
"""


def test_model_servers_need_nothing_of_the_chatbot() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, FOREIGN, *SERVERS],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "\n" * len(SERVERS)
