"""Parsed → normalised: conditions become conjunctions of literals, everything else is compiled away."""
