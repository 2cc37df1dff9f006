"""Run student code in a process of its own. The judge's side: process and limits; the child's: child."""
