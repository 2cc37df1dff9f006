"""Renderers of results: each module is a pure function, `format_report(report) -> str`."""
