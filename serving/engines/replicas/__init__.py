"""Several servers of one engine, and engines that answer in each other's place."""
