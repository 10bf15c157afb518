"""The facts of an Edition become sentences, each held against the facts it rests on."""
