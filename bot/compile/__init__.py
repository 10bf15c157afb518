"""A period of stored facts becomes an Edition: facts only, no prose."""
