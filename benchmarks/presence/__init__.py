"""How often answer presence is right by question type, on questions written for it."""
