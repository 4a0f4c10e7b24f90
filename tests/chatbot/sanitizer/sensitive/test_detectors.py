import pytest
from scripted.tables import every_row

from chatbot.sanitizer.sensitive import (
    Detector,
    Rule,
    card,
    email,
    iban,
    pesel,
    phone,
    screen_text,
    words,
)


def masked(text: str, detector: Detector) -> str:
    return screen_text(text, (Rule(name="x", detector=detector, action="mask", mask="#"),))[0]


@every_row(
    ("text", "shown"),
    [
        ("PESEL 44051401359.", "PESEL #."),
        ("02070803628", "#"),
        ("440514-01359", "#"),
        ("440514 01359", "#"),
        ("44\u00a005\u200b14\u201101359", "#"),
        ("４４０５１４０１３５９", "#"),
        ("٤٤٠٥١٤٠١٣٥٩", "#"),
        ("PESEL:44051401359r.", "PESEL:#r."),
        ("nr 12 44051401359", "nr 12 #"),
        ("44051401358", "44051401358"),
        ("44053201352", "44053201352"),
        ("00000000000", "00000000000"),
        ("1440514013590", "1440514013590"),
        ("4405140135", "4405140135"),
    ],
)
def test_a_pesel_number_has_a_date_and_a_check_digit(text: str, shown: str) -> None:
    assert masked(text, pesel()) == shown


@every_row(
    ("text", "shown"),
    [
        ("4111111111111111", "#"),
        ("4111 1111 1111 1111", "#"),
        ("4111-1111-1111-1111 25 zł", "# 25 zł"),
        ("12 4111 1111 1111 1111", "12 #"),
        ("5555 5555 5555 4444", "#"),
        ("2223003122003222", "#"),
        ("378282246310005", "#"),
        ("6011111111111117", "#"),
        ("4222222222222", "#"),
        ("4111111111111112", "4111111111111112"),
        ("9111111111111111", "9111111111111111"),
        ("1234567890123", "1234567890123"),
        ("41111111111111111111", "41111111111111111111"),
    ],
)
def test_a_card_has_an_issuer_and_a_check_digit(text: str, shown: str) -> None:
    assert masked(text, card()) == shown


@every_row(
    ("text", "shown"),
    [
        ("PL61109010140000071219812874", "#"),
        ("konto PL61 1090 1014 0000 0712 1981 2874.", "konto #."),
        ("pl 61 1090 1014 0000 0712 1981 2874", "#"),
        ("61 1090 1014 0000 0712 1981 2874", "#"),
        ("GB29 NWBK 6016 1331 9268 19", "#"),
        ("DE89370400440532013000 i", "# i"),
        ("PL61109010140000071219812875", "PL61109010140000071219812875"),
        ("PL6110901014000007121981287", "PL6110901014000007121981287"),
        ("XX61109010140000071219812874", "XX61109010140000071219812874"),
    ],
)
def test_an_account_has_its_countrys_length_and_check_digits(text: str, shown: str) -> None:
    assert masked(text, iban()) == shown


@every_row(
    ("text", "shown"),
    [
        ("tel. +48 600 100 200!", "tel. #!"),
        ("0048600100200", "#"),
        ("600100200", "#"),
        ("600-100-200", "#"),
        ("22 123 45 67", "#"),
        ("(22) 123 45 67", "#"),
        ("+48221234567", "#"),
        ("221234567", "221234567"),
        ("123456789", "123456789"),
        ("600 10 02", "600 10 02"),
        ("6001002001", "6001002001"),
        ("19 123 45 67", "19 123 45 67"),
        ("1 000 000", "1 000 000"),
    ],
)
def test_a_telephone_number_is_polish_and_written_as_one(text: str, shown: str) -> None:
    assert masked(text, phone()) == shown


@every_row(
    ("text", "shown"),
    [
        ("Pisz: jan.kowalski+x@firma.com.pl.", "Pisz: #."),
        ("<józef@żółw.pl>", "<#>"),
        ("a@b.pl,c@d.pl", "#,#"),
        ("mailto:jan@firma.pl?x", "mailto:#?x"),
        ("@jan", "@jan"),
        ("jan@firma", "jan@firma"),
        ("jan@ firma.pl", "jan@ firma.pl"),
        ("ekstra.pl", "ekstra.pl"),
    ],
)
def test_an_address_has_a_domain(text: str, shown: str) -> None:
    assert masked(text, email()) == shown


@every_row(
    ("text", "shown"),
    [
        ("ŻÓŁĆ i zolc", "# i #"),
        ("żółcień", "żółcień"),
        ("Projekt Łabędź", "#"),
        ("projekt\nlabedz", "#"),
        ("projekt  łabędź", "projekt  łabędź"),
        ("projekt inny", "projekt inny"),
        ("BOMBAMI, bomba", "#, #"),
        ("bombardierkami", "#"),
        ("kabomba", "kabomba"),
        ("z\u0307o\u0301lc\u0301, kto", "#, kto"),
        ("Projekt Łabe\u0328dz\u0301.", "#."),
        ("bom\u00adbami, bo\u200bmba", "#, #"),
        ("z\u0307o\u0301lc\u0301ien\u0301", "z\u0307o\u0301lc\u0301ien\u0301"),
        ("o\u0301bomba", "o\u0301bomba"),
        ("\ufeffbomba", "\ufeff#"),
    ],
)
def test_words_are_compared_without_case_and_diacritics(text: str, shown: str) -> None:
    assert masked(text, words(["żółć", "projekt łabędź", "bomb*"])) == shown


def test_a_listed_word_may_have_its_accents_apart() -> None:
    assert masked("żółć", words(["z\u0307o\u0301łc\u0301"])) == "#"


@every_row("entries", [[], [""], ["!x"], ["a*b"], ["x" * 101], ["*"]])
def test_a_list_that_cannot_be_looked_for_is_refused(entries: list[str]) -> None:
    with pytest.raises(ValueError, match=r"word|entry|characters"):
        words(entries)
