"""What takes back or denies something said in the same prompt, as patterns over folded text."""

from chatbot.language.patterns import regex

CORRECTION = regex(
    r"\b(?:znaczy|wroc|wrocmy|pomyl\w*|stop|jednak|tfu|ech|sorry|sory|przepraszam|raczej|czekaj|"
    r"poprawka|zmiana planow|albo nie|a w sumie nie|konkretnie|czyli|a wlasciwie|dokladniej|"
    r"scislej|niewazne|"
    r"przejezyczyl\w+|mialem na mysli|mialam na mysli|chcialem powiedziec|chcialam powiedziec|"
    r"zle mowie|nie nie|przelozyli|przeniesli|przesuneli)\b"
    r"|[,.?!…–-] ?(?:a |oj |o |no )?nie(?=[,.!…]|$)"
)
"""Stands between what was said first and what holds in the end."""

NEGATION = regex(
    r"(?:(?<!\balbo )\bnie|\bzamiast|\boprocz|\bpoza|\bprocz|\bza wyjatkiem|\bani|"
    r"\bnie (?:pyta\w+|chodzi\w*|interesuj\w+|obchodz\w+|chce)(?: mi| mnie)?(?: o)?|"
    r"\bnie mowie o|\bnie o)(?: (?:w|we|na|do|dla|o))?\s*$"
)
"""Stands at the end of what comes before something that is denied."""
