"""Follow-ups to pictures: of what was spoken of, and changes of the last one."""
