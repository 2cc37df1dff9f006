"""The course in a browser: `grade site OUT` writes it as files for any web server.

build      writes the folder
browser/   what runs there, in Pyodide: the judge in one worker, a student's program in another
static/    the page and the workers
"""
