"""The arena: schedules, matches, results and their uncertainty."""
