"""Words for what a picture can be, and for how many are asked for, as patterns over folded text."""

PLAIN = r"(?:obraz(?!uj)\w{0,5}|rysun\w+|grafi(?:k|c)\w{0,4}|ilustracj\w+)"
"""A picture of no kind: "obrazek"."""

MEDIUM = (
    rf"(?:{PLAIN}|zdjec\w*|fot(?:k|ografi)\w+|plakat\w*|plansz\w*|tapet\w*|kart(?:k\w*|ecz\w+|[aey])|"
    r"kart|pocztow\w+|naklej\w+|logo\w{0,5}|portre\w+|szkic\w*|baner\w*|okladk\w+|ikon\w{0,4}|"
    r"etykiet\w*|pejzaz\w*|martw\w+ natur\w+|kolorowan\w+|wizualizacj\w+|scen\w{0,2}|wizj\w+|"
    r"projekt\w{0,3}|wersj\w+|wariant\w*|karykatur\w+|komiks\w*|akwarel\w+|mural\w*|ulot\w+|"
    r"zaprosze\w+|a[vw]atar\w*|bilet\w*|dyplom\w*|emblemat\w*|render\w*|plik\w*|bild\w*|kadr\w*|"
    r"pictures?|images?)"
)
COUNT = (
    r"(?:dwa|dwie|dwoch|dwu|oba|obie|obydw\w+|trzy|trzech|cztery|czterech|pare|kilka|two|three|"
    r"[2-4] ?x|[2-4])"
)
