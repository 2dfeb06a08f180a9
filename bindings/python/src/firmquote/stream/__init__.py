"""Streams of events, across reconnections."""
