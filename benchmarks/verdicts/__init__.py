"""What a user gets: verdicts on labelled answers, *tune* and *locked* rows side by side."""
