"""Polish words for the weather codes of the World Meteorological Organization."""

from collections.abc import Mapping
from types import MappingProxyType

WMO_CODES: Mapping[int, str] = MappingProxyType({
    0: "bezchmurnie",
    1: "przeważnie bezchmurnie",
    2: "częściowe zachmurzenie",
    3: "pochmurno",
    45: "mgła",
    48: "mgła osadzająca szadź",
    51: "lekka mżawka",
    53: "mżawka",
    55: "gęsta mżawka",
    56: "lekka marznąca mżawka",
    57: "gęsta marznąca mżawka",
    61: "słaby deszcz",
    63: "deszcz",
    65: "silny deszcz",
    66: "słaby marznący deszcz",
    67: "silny marznący deszcz",
    71: "słaby śnieg",
    73: "śnieg",
    75: "silny śnieg",
    77: "śnieg ziarnisty",
    80: "słabe przelotne opady deszczu",
    81: "przelotne opady deszczu",
    82: "gwałtowne przelotne opady deszczu",
    85: "słabe przelotne opady śniegu",
    86: "silne przelotne opady śniegu",
    95: "burza",
    96: "burza ze słabym gradem",
    99: "burza z silnym gradem",
})
"""WMO 4677 as Open-Meteo uses it (open-meteo.com/en/docs, "Weather variable documentation")."""


def describe(code: int | None) -> str:
    """Words for a code; empty where it is unknown."""
    return "" if code is None else WMO_CODES.get(code, "")
