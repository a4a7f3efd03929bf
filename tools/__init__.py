"""What the make targets run besides the app and its tests."""
