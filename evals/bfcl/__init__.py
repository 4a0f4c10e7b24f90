"""The Berkeley Function Calling Leaderboard (v4): its published files, asked of our router."""
