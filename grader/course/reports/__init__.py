"""What a class run tells: gradebooks, feedback, summary, leaderboard, a page, and what changed."""
