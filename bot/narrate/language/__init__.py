"""The words of an edition, one package a language: grammar, numbers, dates and phrases.

A language is a package here with the modules of `en`: `grammar` (verbs, nouns, forms of a clause), `titles`
(a title retold), `phrases` (the fixed wording) and `numbers` (number words, dates, plurals).
"""
