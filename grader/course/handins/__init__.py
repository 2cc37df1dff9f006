"""What was handed in: a folder or a platform's download, taken in safely, and who it is of."""
