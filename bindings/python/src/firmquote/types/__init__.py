"""The values of requests and responses: frozen data classes with integers and exact decimals, without floats."""
