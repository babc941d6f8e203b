"""Normalised → normalised: an action with many parameters becomes a chain of smaller ones."""
