"""Make the files that a course uploads to a platform; never part of a release."""
