"""Spark in this process: sessions, settings, versions, jars, and what keeps two runs apart."""
