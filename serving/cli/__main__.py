"""Runs the command line as ``python -m serving.cli``."""

from serving.cli.main import main

if __name__ == "__main__":
    main()
