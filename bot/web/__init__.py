"""Health, metrics, the archive of public editions and its feed, over HTTP."""
