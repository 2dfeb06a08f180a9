"""The stream of price levels: the live books, across reconnections."""
