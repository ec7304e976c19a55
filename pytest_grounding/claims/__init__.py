"""An answer taken apart into claims, and what is said in it that is none."""
