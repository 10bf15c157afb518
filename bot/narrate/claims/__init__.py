"""What a sentence claims and what raw facts say, read in the same way so that one can be held against the other."""
