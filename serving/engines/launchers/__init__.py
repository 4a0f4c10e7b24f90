"""The command lines that start model servers: one launcher per kind."""

from serving.engines.launchers.building import LAUNCHERS, build_command
from serving.engines.launchers.command import CommandLine

__all__ = ["LAUNCHERS", "CommandLine", "build_command"]
