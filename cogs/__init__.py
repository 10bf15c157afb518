"""Listeners and commands: translate, call one stage, answer."""
