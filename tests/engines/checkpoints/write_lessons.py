"""Writes the lessons as the engines will see them, for the training of the tiny checkpoint.

Usage: ``write_lessons.py FILE``, in the environment of the project, from its root.
"""

import json
import sys
from pathlib import Path

from engines.samples import all_samples

from chatbot.tools.builtin import BUILT_IN

if __name__ == "__main__":
    samples = [*all_samples([tool.spec for tool in BUILT_IN])]
    Path(sys.argv[1]).write_text(
        json.dumps(samples, ensure_ascii=False, indent=1), encoding="utf-8"
    )
