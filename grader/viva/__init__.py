"""Ask the author of a program questions about it: `grade viva`. Nothing here decides about points."""
