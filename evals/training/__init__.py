"""Training of the local detector: own templates, generated prompts, and the fit."""
