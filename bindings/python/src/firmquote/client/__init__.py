"""The clients, blocking and asynchronous, and what they share."""
