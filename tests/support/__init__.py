"""Helpers that several test files and the benchmarks share."""
