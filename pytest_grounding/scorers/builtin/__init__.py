"""The built-in engine: tokens, features, a small trained model, typed conflicts."""
