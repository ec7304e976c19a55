"""What a user meets: verdicts on labelled answers, *tune* and *locked* rows side by side."""
