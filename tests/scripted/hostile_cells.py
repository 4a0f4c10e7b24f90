"""Every hostile text that an export must survive: formulas, what no cell holds, every image."""

from typing import Final

from scripted.hostile_text import COMMANDS, IMAGES, TERMINAL

FORMULAS: Final = (
    "=1+1",
    '=HYPERLINK("https://leak.example";"a")',
    "+1",
    "-2+3",
    "@SUM(1)",
    "=cmd|' /C calc'!A0",
    "\t=1",
    "\r=1",
    " =1",
    "#N/A",
    "#REF!",
    "=",
    "'=1",
    "{=1}",
    "https://leak.example/",
    "_x0041_",
)
"""What a spreadsheet would calculate, or turn into a link."""
UNHOLDABLE: Final = (
    "a\ud800b",
    "a\ufffeb",
    "a\uffffb",
    "a\0b",
    "a\x0bb",
    "a\x1b[31mb",
    "a\x9bb",
    "",
)
"""What a cell of XLSX cannot hold."""
TEXTS: Final = (*FORMULAS, *UNHOLDABLE, *IMAGES.values(), *COMMANDS.values(), TERMINAL)
