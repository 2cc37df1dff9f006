"""Run student code in processes of its own; all that comes back is data, see answers.py."""
