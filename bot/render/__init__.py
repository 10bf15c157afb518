"""Sentences and facts become Markdown, Discord parts, HTML and charts; knows nothing of Discord itself."""
