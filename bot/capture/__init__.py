"""Discord events, history and exports become model values; every message enters through here."""
