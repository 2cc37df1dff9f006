"""Make the files that a course uploads to a platform; a release never contains this package."""
