"""The stream of events of a client's own quotes."""
