"""Several processes that serve one port: who starts them, and how they find each other."""
