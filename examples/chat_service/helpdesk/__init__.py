"""A chat service that answers from help pages, and validates each answer before it goes out."""
