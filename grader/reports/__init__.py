"""Render results; each format's module has a pure function `format_report(report) -> str`."""
