"""Common lemmas, to be preferred where a word form could come from a rarer one as well."""

FREQUENT = frozenset(
    """
    ja ty on my wy się siebie mój twój swój nasz wasz ten tamten taki który jaki czyj kto co ktoś
    coś nikt nic każdy wszystek wszystko żaden sam inny być mieć móc chcieć musieć wiedzieć znać
    robić zrobić iść pójść jechać jeść pić dać dawać mówić powiedzieć opowiedzieć pisać napisać
    czytać szukać znaleźć sprawdzić wyszukać pokazać narysować namalować wygenerować stworzyć
    obliczyć policzyć wynosić rozwiązać podać wyjaśnić wytłumaczyć pomóc działać padać lać wiać
    świecić żyć urodzić umrzeć napić prosić proszę lubić kochać myśleć wyglądać zostać stać leżeć
    spać wstać brać wziąć kupić przetłumaczyć streścić wymyślić ułożyć zaproponować pisarz pogoda
    temperatura deszcz śnieg burza wiatr słońce mróz upał stopień prognoza parasol kurtka niebo
    chmura miasto kraj wieś państwo świat ziemia góra morze rzeka jezioro las dom droga ulica pies
    kot koń ptak ryba but czas dzień noc rok miesiąc tydzień godzina minuta wieczór rano jutro
    dziś dzisiaj wczoraj teraz potem liczba suma iloczyn iloraz różnica pierwiastek potęga procent
    całka pochodna granica równanie układ macierz wyznacznik funkcja sinus cosinus logarytm pole
    obwód objętość kwadrat trójkąt koło okrąg plus minus raz razy dzielić odjąć dodać człowiek
    mężczyzna kobieta dziecko matka ojciec syn córka brat siostra mama tata pan pani król królowa
    prezydent autor poeta malarz naukowiec twórca historia wojna bitwa powstanie stolica język
    kultura nauka sztuka film książka wiersz piosenka muzyka obraz obrazek rysunek grafika zdjęcie
    ilustracja logo plakat kolor styl tło pomysł przepis list mail wiadomość tekst zdanie słowo
    pytanie odpowiedź przykład lista sposób rzecz praca szkoła zadanie projekt program kod błąd
    plik komputer telefon internet strona informacja duży wielki mały nowy stary dobry zły ładny
    piękny ciepły zimny krótki długi wysoki niski wesoły smutny śmieszny czarny biały czerwony
    zielony niebieski żółty polski angielski jeden dwa trzy cztery pięć pierwszy drugi trzeci ile
    kiedy gdzie jak dlaczego czemu skąd dokąd czy i a ale lub oraz że bo więc gdy jeśli żeby z w
    na do od o u po za przed pod nad przy przez dla bez między ku nie tak no już jeszcze tylko też
    także bardzo trochę mało dużo lepiej tu tam tutaj
    """.split()  # noqa: SIM905 - one word a line would be 330 lines
)
