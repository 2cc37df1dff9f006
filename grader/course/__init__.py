"""Grade a class: read submissions, grade them, store the results, apply the course's rules, report."""
