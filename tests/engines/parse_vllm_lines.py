"""Run by vLLM's Python: reads lists of arguments as JSON, writes what vLLM's own parser reads."""

import json
import sys

from vllm.entrypoints.launchers.cli_args import make_arg_parser, validate_parsed_serve_args  # type: ignore[import-not-found] # not in our environment
from vllm.utils.argparse_utils import FlexibleArgumentParser  # type: ignore[import-not-found] # not in our environment

parser = make_arg_parser(FlexibleArgumentParser())
read = []
for words in json.load(sys.stdin):
    arguments = parser.parse_args(words)
    validate_parsed_serve_args(arguments)
    read.append({name: str(value) for name, value in vars(arguments).items()})
sys.stdout.write(f"\n{json.dumps(read)}\n")
