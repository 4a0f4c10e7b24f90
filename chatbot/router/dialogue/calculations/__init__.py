"""Follow-ups to calculations: on the last result, with other numbers, another operation."""
