"""The stream of price levels: what is live, whatever happens to the connection."""
