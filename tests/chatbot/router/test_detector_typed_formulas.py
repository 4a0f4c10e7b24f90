"""Formulas as people type or say them in passing: "x2", "cosx", "e do 3x", sides by difference."""

from scripted.tables import every_row

from chatbot.router.detector.formulas import read_formula


@every_row(
    ("prompt", "expression"),
    [
        ("x2 - 9x + 20 = 0", "solve(Eq(x**2 - 9*x + 20, 0), x)"),
        ("2x2 - 8 = 0", "solve(Eq(2*x**2 - 8, 0), x)"),
        ("policz 5x2+3", "5*2 + 3"),
        ("całka z e do 3x", "integrate(E**(3*x), x)"),
        ("pochodna e do minus 2x", "diff(E**(-2*x), x)"),
        ("sinus z pi przez trzy", "sin(pi/3)"),
        ("ile to ćwierć miliona", "1/4*1000000"),
        ("ile zapłacę za 30 dag szynki po 42 zł kilo", "0.3*42"),
        ("ile sekund jest w 3 i pół godziny", "3.5*3600"),
        ("12x3=36", "12*3"),
        ("pochodna x3 + 2x", "diff(x**3 + 2*x, x)"),
        ("pochodna f(x)=x^2*cosx", "diff(x**2*cos(x), x)"),
        ("całka z cosx*sin3x", "integrate(cos(x)*sin(3*x), x)"),
        ("prostokąt ma bok 14 cm, drugi jest o 5 cm krótszy, jakie pole?", "14*9"),
        ("pole trójkąta o podstawie 12 cm i wysokości o 4 cm krótszej", "12*8/2"),
    ],
)
def test_what_is_typed_is_read(prompt: str, expression: str) -> None:
    found = read_formula(prompt)
    assert found is not None
    assert found.expression == expression
