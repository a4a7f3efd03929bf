"""Out and in: nights as JSON, whole, and as one sheet for spreadsheets; both from the record and its scores alone."""
