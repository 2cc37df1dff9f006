"""Reports: each a pure function of the results, `format_report(report) -> str`."""
