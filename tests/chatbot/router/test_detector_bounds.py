"""Integrals, sums, derivatives and tangents whose bounds, order or place is told in words."""

from scripted.tables import check_rows

from chatbot.router.detector.formulas import read_formula

ROWS = (
    ("całka niewłaściwa 2/x^4, dolna granica 3, górna nieskończoność",
     "integrate(2/x**4, (x, 3, oo))"),
    ("całka z x^2, granica dolna 0, a górna 3", "integrate(x**2, (x, 0, 3))"),
    ("policz całkę oznaczoną z 2x + 1 z dolną granicą 1 i górną 4",
     "integrate(2*x + 1, (x, 1, 4))"),
    ("scałkuj sin x, dół 0, góra pi", "integrate(sin(x), (x, 0, pi))"),
    ("całka z 1/x^2 od jedynki w nieskończoność", "integrate(1/x**2, (x, 1, oo))"),
    ("dwa iks plus jeden scałkowane od minus jeden do trzech, ile to będzie",
     "integrate(2*x + 1, (x, -1, 3))"),
    ("cos x całkowane od 0 do pi/2, ile?", "integrate(cos(x), (x, 0, pi/2))"),
    ("iks do sześcianu całka od zera do dwóch", "integrate(x**3, (x, 0, 2))"),
    ("dodaj kwadraty wszystkich liczb naturalnych od 7 do 15", "summation(k**2, (k, 7, 15))"),
    ("zsumuj sześciany liczb od 1 do 12", "summation(k**3, (k, 1, 12))"),
    ("dodać do siebie wszystkie liczby od 15 do 60", "summation(k, (k, 15, 60))"),
    ("Zsumuj wyrazy 1/(n(n+2)), zaczynając od n=1, kończąc na n=50.",
     "summation(1/(n*(n + 2)), (n, 1, 50))"),
    ("suma k^2 począwszy od k = 3 aż do k = 15", "summation(k**2, (k, 3, 15))"),
    ("Σ (3/5)^k dla k = 0, 1, 2, … i tak w nieskończoność", "summation((3/5)**k, (k, 0, oo))"),
    ("Σ k^2 dla k = 1, 2, ..., 20", "summation(k**2, (k, 1, 20))"),
    ("Σ 1/n² po n od 1 do 50", "summation(1/n**2, (n, 1, 50))"),
    ("sin(3x) zróżniczkować cztery razy pod rząd, to co zostanie?", "diff(sin(3*x), x, 4)"),
    ("zróżniczkuj dwa razy z rzędu x^5", "diff(x**5, x, 2)"),
    ("f(x,y) = cos(xy²), ile to ∂f/∂y?", "diff(cos(x*y**2), y)"),
    ("f(x,y)=x^2y^3, pochodna po y?", "diff(x**2*y**3, y)"),
    ("f(x,y) = x^3y + y^2, druga pochodna po x?", "diff(x**3*y + y**2, x, x)"),
    ("∂²f/∂x∂y, f(x,y) = x^3 y^2", "diff(x**3*y**2, x, y)"),
    ("∂³/∂x²∂z dla wyrażenia x³z² − 5xz", "diff(x**3*z**2 - 5*x*z, x, x, z)"),
    ("Wykres ln x, styczna w punkcie o odciętej 7 - jaki ma współczynnik kierunkowy?",
     "limit(diff(log(x), x), x, 7)"),
    ("nachylenie stycznej do krzywej x^4 dla x = 2", "limit(diff(x**4, x), x, 2)"),
    ("granica w punkcie 3 z ułamka w liczniku iks kwadrat minus 9 a w mianowniku iks minus trzy",
     "limit((x**2 - 9)/(x - 3), x, 3)"),
    ("granica w nieskończoności ułamka: w liczniku 3n+1, w mianowniku n-2",
     "limit((3*n + 1)/(n - 2), n, oo)"),
    ("pochodna ułamka o liczniku x+1 i mianowniku x-1", "diff((x + 1)/(x - 1), x)"),
    ("pochodna mieszana f po x i y dla f = x^2 y^3", "diff(x**2*y**3, x, y)"),
    ("całka po x od 0 do 3 z 2x", "integrate(2*x, (x, 0, 3))"),
    ("nieoznaczona z ln x", "integrate(log(x), x)"),
    ("zsumuj 1/k od k równego 1 do 10", "summation(1/k, (k, 1, 10))"),
    ("iloczyn (1+1/k) od k=1 do k=20", "product(1 + 1/k, (k, 1, 20))"),
    ("oblicz Σ od n=1 do 5 (2n+1)", "summation(2*n + 1, (n, 1, 5))"),
    ("do ilu zbiega (3n^2+1)/(n^2-4) dla n dążącego do nieskończoności",
     "limit((3*n**2 + 1)/(n**2 - 4), n, oo)"),
    ("granica (1+2/n)^n przy n idącym w nieskończoność", "limit((1 + 2/n)**n, n, oo)"),
    ("g(x) = x^3, ile to g(2) + g(1)", "2**3 + 1**3"),
    ("sin z pi przez sześć", "sin(pi/6)"),
    ("ile stopni to 3pi/4 radianów", "3*pi/4*180/pi"),
    ("Pierwszego dnia odkładam złotówkę, drugiego dwa, trzeciego trzy i tak do 30. Ile uzbieram?",
     "summation(1 + 1*k, (k, 0, 29))"),
    ("robię 5 pompek pierwszego dnia, każdego następnego o 2 więcej, ile zrobię przez 20 dni",
     "summation(5 + 2*k, (k, 0, 19))"),
    ("s(t) = 5t^2 + 2t, pochodna po t", "diff(5*t**2 + 2*t, t)"),
    ("ciąg 1/n^2, suma od n=1 do nieskończoności", "summation(1/n**2, (n, 1, oo))"),
    ("suma nieskończona 1/3^n od n=1", "summation(1/3**n, (n, 1, oo))"),
    ("2log5 + log4", "2*log(5, 10) + log(4, 10)"),
)  # fmt: skip


def test_bounds_orders_and_places_told_in_words_are_read() -> None:
    def check(row: tuple[str, str]) -> None:
        prompt, right = row
        found = read_formula(prompt)
        assert found is not None
        assert found.expression == right

    check_rows(ROWS, check)
