"""Gradio's theme in the page's own colours and type, which `style.css` defines."""

from gradio.themes import Base, Color, Size

_ACCENT = Color(
    name="switch",
    c50="var(--z-tint)",
    c100="var(--z-tint)",
    c200="var(--z-tint)",
    c300="var(--z-accent)",
    c400="var(--z-accent)",
    c500="var(--z-accent)",
    c600="var(--z-accent)",
    c700="var(--z-accent-strong)",
    c800="var(--z-accent-strong)",
    c900="var(--z-accent-strong)",
    c950="var(--z-accent-strong)",
)
_NEUTRAL = Color(
    name="paper",
    c50="var(--z-ground)",
    c100="var(--z-side)",
    c200="var(--z-line)",
    c300="var(--z-line)",
    c400="var(--z-quiet)",
    c500="var(--z-quiet)",
    c600="var(--z-quiet)",
    c700="var(--z-text)",
    c800="var(--z-text)",
    c900="var(--z-text)",
    c950="var(--z-text)",
)
_RADIUS = Size(
    name="switch",
    xxs="0.25rem",
    xs="0.375rem",
    sm="0.5rem",
    md="0.625rem",
    lg="0.875rem",
    xl="1rem",
    xxl="1.25rem",
)
_COLOURS = {
    "body_background_fill": "var(--z-ground)",
    "body_text_color": "var(--z-text)",
    "body_text_color_subdued": "var(--z-quiet)",
    "background_fill_primary": "var(--z-surface)",
    "background_fill_secondary": "var(--z-side)",
    "border_color_primary": "var(--z-line)",
    "border_color_accent": "var(--z-accent)",
    "border_color_accent_subdued": "var(--z-line)",
    "color_accent": "var(--z-accent)",
    "color_accent_soft": "var(--z-tint)",
    "link_text_color": "var(--z-accent)",
    "link_text_color_hover": "var(--z-accent-strong)",
    "link_text_color_active": "var(--z-accent-strong)",
    "link_text_color_visited": "var(--z-accent)",
    "code_background_fill": "var(--z-code)",
    "block_background_fill": "transparent",
    "input_background_fill": "var(--z-surface)",
    "input_background_fill_focus": "var(--z-surface)",
    "input_border_color": "var(--z-edge)",
    "input_border_color_focus": "var(--z-accent)",
    "input_placeholder_color": "var(--z-quiet)",
    "button_primary_background_fill": "var(--z-accent)",
    "button_primary_background_fill_hover": "var(--z-accent-strong)",
    "button_primary_text_color": "var(--z-on-accent)",
    "button_primary_text_color_hover": "var(--z-on-accent)",
    "button_secondary_background_fill": "var(--z-surface)",
    "button_secondary_background_fill_hover": "var(--z-hover)",
    "button_secondary_text_color": "var(--z-text)",
    "button_secondary_text_color_hover": "var(--z-text)",
    "button_cancel_background_fill": "var(--z-surface)",
    "button_cancel_background_fill_hover": "var(--z-hover)",
    "button_cancel_text_color": "var(--z-text)",
    "button_cancel_text_color_hover": "var(--z-text)",
    "table_border_color": "var(--z-line)",
    "table_even_background_fill": "transparent",
    "table_odd_background_fill": "transparent",
}


def build_theme() -> Base:
    """A theme whose light and dark values are the same variables: `style.css` switches them."""
    theme = Base(
        primary_hue=_ACCENT,
        secondary_hue=_ACCENT,
        neutral_hue=_NEUTRAL,
        radius_size=_RADIUS,
        font=("Figtree", "ui-sans-serif", "system-ui", "sans-serif"),
        font_mono=("ui-monospace", "Menlo", "Consolas", "DejaVu Sans Mono", "monospace"),
    )
    theme.name = "zwrotnica"
    dark = {f"{name}_dark": value for name, value in _COLOURS.items()}
    known = {name: value for name, value in dark.items() if hasattr(theme, name)}
    return theme.set(**_COLOURS, **known)
