"""Confines a process: Landlock, system-call filter, namespaces and resource limits, in tiers."""
