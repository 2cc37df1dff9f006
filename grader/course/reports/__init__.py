"""Write the reports of a class run: gradebooks, feedback, summary, leaderboard, page, comparison."""
