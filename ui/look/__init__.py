"""How the page looks and behaves: theme, styles, scripts, fonts, and its ways to the browser."""
