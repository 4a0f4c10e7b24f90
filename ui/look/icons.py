"""Line drawings of the page, as inline SVG that takes the colour of its text."""

from types import MappingProxyType
from typing import Final

_PATHS: Final = MappingProxyType({
    "mark": '<path d="M5 3v18"/><path d="M5 15c0-5 5-4 9-7.5S19 3 19 3"/>'
    '<circle cx="5" cy="15" r="2.1" fill="currentColor" stroke="none"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "search": '<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.3-4.3"/>',
    "menu": '<path d="M4 7h16M4 12h16M4 17h10"/>',
    "close": '<path d="M6 6l12 12M18 6 6 18"/>',
    "pencil": '<path d="M4 20l1-4.5L16.5 4a1.8 1.8 0 0 1 2.6 0l.9.9a1.8 1.8 0 0 1 0 2.6'
    'L8.5 19z"/><path d="m14.5 6 3.5 3.5"/>',
    "trash": '<path d="M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3"/>',
    "export": '<path d="M12 15V4M8 8l4-4 4 4M5 13v6h14v-6"/>',
    "sliders": '<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/>'
    '<circle cx="8" cy="17" r="2"/>',
    "sun": '<circle cx="12" cy="12" r="4"/><path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7'
    'M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4"/>',
    "moon": '<path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z"/>',
    "screen": '<rect x="3.5" y="5" width="17" height="11" rx="1.5"/><path d="M9 20h6M12 16v4"/>',
    "keys": '<rect x="3" y="6" width="18" height="12" rx="2"/>'
    '<path d="M7 10h.01M11 10h.01M15 10h.01M8 14h8"/>',
    "chart": '<path d="M5 20V11M12 20V4M19 20v-6"/>',
    "down": '<path d="M12 5v14M6 13l6 6 6-6"/>',
    "globe": '<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c3 2.8 3 14.2 0 17'
    'M12 3.5c-3 2.8-3 14.2 0 17"/>',
})


def draw_icon(name: str) -> str:
    """One of our drawings; a screen reader passes over it."""
    return (
        '<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" '
        'stroke="currentColor" stroke-width="1.8" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true" focusable="false">{_PATHS[name]}</svg>'
    )
