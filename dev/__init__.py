"""For developers of the package: demo, recorder, simulator, servers, live run, benchmarks."""
