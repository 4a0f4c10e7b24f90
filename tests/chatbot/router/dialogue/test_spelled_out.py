"""What a picture's prompt only points at, in the conversation's own words; several pictures."""

from scripted.guessing import guessed
from scripted.tables import every_row

from chatbot.router.dialogue.drawings.same_style import in_same_style

SUM = ("mama 60, babcia 84, ile świeczek razem?", "144")
BISON = ("Ile waży żubr?", "Dorosły samiec żubra waży do około 900 kg.")
SNOW = ("A pogoda w Białowieży?", "W Białowieży jest -3°C i pada śnieg.")
TWO_TOWNS = ("jaka pogoda w Toruniu", "W Toruniu jest 14°C.", "a w Płocku?", "W Płocku jest 13°C.")
TREE = (
    "jak ubrać choinkę po skandynawsku",
    "Postaw na drewniane ozdoby i słomiane gwiazdki.",
)
POEM = (
    "Z jakiego tomu jest „Kot w pustym mieszkaniu”?",
    "Wiersz „Kot w pustym mieszkaniu” pochodzi z tomu „Koniec i początek”.",
)
BIRDS = (
    "Czym się różni pliszka od gila?",
    "Pliszka ma długi ogon, a gil jest krępy i ma gruby dziób.",
)
MOTIFS = (
    "Zaproponuj dwa motywy na kubek",
    "Pierwszy: kot z książką. Drugi: sowa z filiżanką.",
)
BALCONY = (
    "Jak urządzić balkon od północy?",
    "W skrzynkach paprocie, w rogu fotel, na ścianie lampki.",
)
ROOM = (
    "Jak ustawić meble w pokoju dziecka?",
    "Łóżko pod ścianą, biurko przy oknie, a na nim lampa.",
)
FIR = ("Jak odróżnić jodłę od świerka?", "Jodła ma płaskie igły, świerk kłujące.")
CASTLE = ("Narysuj zamek na wzgórzu", "Oto zamek na wzgórzu.")
TWO_PICTURES = ("Potrzebuję dwóch ilustracji do menu.", "Co mają przedstawiać te ilustracje?")


def drawn(*texts: str) -> list[object]:
    """The descriptions of the pictures that the last text asks for after the others."""
    return [one.arguments.get("description") for one in guessed(*texts)]


@every_row(
    ("texts", "pictures"),
    [
        ((*SUM, "narysuj tort z tyloma świeczkami, ile wyszło"), ["tort z 144 świeczkami"]),
        ((*BISON, *SNOW, "o, to narysuj mi go w takiej pogodzie"), ["żubr, pada śnieg"]),
        ((*SNOW, "namaluj zamek w takiej pogodzie"), ["zamek, pada śnieg"]),
        (
            (*TWO_TOWNS, "narysuj sterowiec nad tym pierwszym miastem"),
            ["sterowiec nad miastem Toruń"],
        ),
        ((*TWO_TOWNS, "narysuj smoka w tym mieście"), ["smok w Płocku"]),
        (
            (*TREE, "wygeneruj taką choinkę w salonie"),
            ["choinka po skandynawsku w salonie, drewniane ozdoby i słomiane gwiazdki"],
        ),
        (
            (*POEM, "Proszę o ilustrację do tego wiersza, tuszem"),
            ["ilustracja do wiersza „Kot w pustym mieszkaniu”, tuszem"],
        ),
        (
            (*BIRDS, "wygeneruj mi oba, każdy na osobnym obrazku, na gałęzi"),
            ["pliszka na gałęzi", "gil na gałęzi"],
        ),
        ((*MOTIFS, "biorę ten drugi, narysuj"), ["sowa z filiżanką"]),
        (
            (*BALCONY, "Pokażesz mi na obrazku, jak taki balkon mógłby wyglądać nocą?"),
            ["balkon od północy nocą: w skrzynkach paprocie, w rogu fotel, na ścianie lampki"],
        ),
        (
            (*ROOM, "Pokaż na obrazku taki pokój w kolorach nieba"),
            ["pokój dziecka w kolorach nieba, łóżko pod ścianą, biurko przy oknie, a na nim lampa"],
        ),
        ((*BIRDS, "namaluj mi tego pierwszego, jak tańczy"), ["pliszka, jak tańczy"]),
        ((*BIRDS, "to narysuj tego drugiego na płocie"), ["gil na płocie"]),
        ((*FIR, "Proszę namalować tę pierwszą zimą."), ["jodła zimą"]),
        ((*CASTLE, *SNOW, "narysuj ten zamek w takiej pogodzie"), ["zamek na wzgórzu, pada śnieg"]),
        ((*BIRDS, "narysuj je razem na śniegu"), ["pliszka i gil na śniegu"]),
        (
            (*TWO_PICTURES, "jedna z pierogami na stole, druga z żurkiem w chlebie"),
            ["pierogi na stole", "żurek w chlebie"],
        ),
    ],
)
def test_a_picture_says_what_its_prompt_points_at(
    texts: tuple[str, ...], pictures: list[str]
) -> None:
    assert drawn(*texts) == pictures


@every_row(
    ("picture", "prompt", "pictures"),
    [
        (
            "żubr w stylu japońskiego drzeworytu",
            "Pięknie! W tej samej manierze proszę osobno łosia i osobno głuszca.",
            ("łoś w stylu japońskiego drzeworytu", "głuszec w stylu japońskiego drzeworytu"),
        ),
        ("wilk, akwarela", "w takim samym stylu narysuj rysia", ("ryś, akwarela",)),
        (
            "portret Chrobrego w stylu komiksu",
            "Dorób w tym samym stylu Mieszka I",
            ("portret: Mieszko I w stylu komiksu",),
        ),
        ("wilk, akwarela", "w tym samym stylu, ale nocą", ()),
        ("wilk, akwarela", "dodaj w tym samym stylu rysia", ()),
        ("wilk, akwarela", "tego samego wilka w tym samym stylu na skale", ()),
        ("wilk, akwarela", "narysuj rysia", ()),
    ],
)
def test_other_things_are_drawn_in_the_same_style(
    picture: str, prompt: str, pictures: tuple[str, ...]
) -> None:
    assert in_same_style(picture, prompt) == pictures
