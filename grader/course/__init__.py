"""Grade a class: take submissions in, grade them, store the results, apply the rules, report."""
