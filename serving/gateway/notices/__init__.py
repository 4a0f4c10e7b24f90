"""The operator's own pages: the privacy notice and the accessibility statement."""
