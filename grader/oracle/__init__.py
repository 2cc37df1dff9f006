"""What is true of a board, found out on the instructor's side only: never released, never in a child."""
