"""The nouns: Transcript, Verdict, RunReport, and the contracts of services that produce answers."""
