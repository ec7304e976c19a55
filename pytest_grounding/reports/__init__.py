"""What people and programs read: one file an output."""
