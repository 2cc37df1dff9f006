"""What a course uploads to a platform, ready: never part of a release."""
