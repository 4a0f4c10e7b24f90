"""How much worse does the switch become when the same prompt is written otherwise?"""
