"""What a student hands in: files, folders and archives, read without trusting any of them."""
