"""Pictures with another number of things, or with another person."""

from scripted.tables import every_row

from chatbot.router.dialogue.drawings.counting import uncounted
from chatbot.router.dialogue.drawings.editing import edit


@every_row(
    ("picture", "prompt", "edited"),
    [
        ("trzy pingwiny na lodzie", "nie trzy, tylko pięć", "pięć pingwinów na lodzie"),
        ("dwa psy", "niech będą cztery", "cztery psy"),
        ("pięć białych kotów", "zrób trzy", "trzy białe koty"),
        ("dwa czarne psy na plaży", "cztery psy", "cztery czarne psy na plaży"),
        ("dwie sowy i trzy myszy", "pięć myszy", "dwie sowy i trzy myszy, pięć myszy"),
        ("portret rycerza w zbroi", "a jakby to była kobieta?", "portret kobiety w zbroi"),
        ("kot na dachu", "trzy gwiazdy", "kot na dachu, trzy gwiazdy"),
    ],
)
def test_a_number_or_a_person_takes_the_place_of_the_old(
    picture: str, prompt: str, edited: str
) -> None:
    assert edit(picture, prompt) == edited


def test_a_counted_thing_is_one_of_its_kind() -> None:
    assert uncounted("trzy pingwiny") == "pingwin"
    assert uncounted("stary zamek") == "stary zamek"
