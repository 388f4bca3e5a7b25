"""What `make test-all` runs besides `make test`: one folder, or one command, for each part."""
