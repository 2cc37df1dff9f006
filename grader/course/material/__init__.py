"""What a course hands out: the student's folder, and what is missing in it; a class to compare."""
