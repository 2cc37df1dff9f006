"""The film of a search: what a program did on a board, from call to call, drawn and told in words."""
