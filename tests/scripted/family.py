"""A program with a child of its own, as model servers have: `python family.py FILE KIND`.

It writes the process ids of itself and of its child to FILE and waits. KIND: ``plain``;
``deaf`` (both ignore SIGTERM); ``escaped`` (the child has a session of its own); ``orphaned``
(the program ends with code 3, the child stays).
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FAMILY = (sys.executable, "-S", __file__)
"""The program; FILE and KIND follow."""
NEVER_S = 600.0
CHILD = "import time; time.sleep(600)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {CHILD}"


def main(file: Path, kind: str) -> None:
    if kind == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(
        (sys.executable, "-S", "-c", DEAF if kind == "deaf" else CHILD),
        start_new_session=kind == "escaped",
    )
    draft = file.with_suffix(".draft")
    draft.write_text(f"{os.getpid()} {child.pid}")
    draft.rename(file)
    if kind == "orphaned":
        os._exit(3)
    time.sleep(NEVER_S)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
