"""A class: take in what was handed in, grade it, keep the results, apply the course's rules, tell."""
