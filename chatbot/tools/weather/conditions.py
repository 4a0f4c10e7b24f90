"""Polish words for the weather codes of the two services."""

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
    75: "intensywny śnieg",
    77: "śnieg ziarnisty",
    80: "słaby przelotny deszcz",
    81: "przelotny deszcz",
    82: "gwałtowny przelotny deszcz",
    85: "słaby przelotny śnieg",
    86: "silny przelotny śnieg",
    95: "burza",
    96: "burza ze słabym gradem",
    99: "burza z silnym gradem",
})
"""WMO 4677 as Open-Meteo uses it (open-meteo.com/en/docs, "Weather variable documentation")."""

OPENWEATHER_CODES: Mapping[int, str] = MappingProxyType({
    200: "burza ze słabym deszczem",
    201: "burza z deszczem",
    202: "burza z silnym deszczem",
    210: "słaba burza",
    211: "burza",
    212: "silna burza",
    221: "miejscami burze",
    230: "burza z lekką mżawką",
    231: "burza z mżawką",
    232: "burza z gęstą mżawką",
    300: "lekka mżawka",
    301: "mżawka",
    302: "gęsta mżawka",
    310: "lekka mżawka z deszczem",
    311: "mżawka z deszczem",
    312: "gęsta mżawka z deszczem",
    313: "przelotny deszcz z mżawką",
    314: "silny przelotny deszcz z mżawką",
    321: "przelotna mżawka",
    500: "słaby deszcz",
    501: "deszcz",
    502: "silny deszcz",
    503: "bardzo silny deszcz",
    504: "ulewa",
    511: "marznący deszcz",
    520: "słaby przelotny deszcz",
    521: "przelotny deszcz",
    522: "silny przelotny deszcz",
    531: "miejscami przelotny deszcz",
    600: "słaby śnieg",
    601: "śnieg",
    602: "intensywny śnieg",
    611: "deszcz ze śniegiem",
    612: "słaby przelotny deszcz ze śniegiem",
    613: "przelotny deszcz ze śniegiem",
    615: "słaby deszcz ze śniegiem",
    616: "deszcz ze śniegiem",
    620: "słaby przelotny śnieg",
    621: "przelotny śnieg",
    622: "silny przelotny śnieg",
    701: "zamglenie",
    711: "dym",
    721: "zmętnienie",
    731: "wiry pyłowe",
    741: "mgła",
    751: "piasek w powietrzu",
    761: "pył w powietrzu",
    762: "popiół wulkaniczny",
    771: "szkwały",
    781: "trąba powietrzna",
    800: "bezchmurnie",
    801: "małe zachmurzenie",
    802: "umiarkowane zachmurzenie",
    803: "duże zachmurzenie",
    804: "całkowite zachmurzenie",
})
"""The codes of openweathermap.org/weather-conditions; its own Polish words are uneven."""

WET = ("deszcz", "śnieg", "mżawka", "mżawką", "burz", "ulewa", "grad", "opad")
"""Parts of words that tell of rain or snow."""


def is_wet(sky: str) -> bool:
    """Whether words for the sky tell of rain or snow."""
    return any(part in sky for part in WET)
