"""Python that runs in a browser: judge.py in one worker, and student.py in another."""
