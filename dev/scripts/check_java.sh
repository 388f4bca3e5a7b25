#!/bin/sh
# Fail with what to install when Spark would find no Java, or one too old for it.
set -eu

java="${JAVA_HOME:+$JAVA_HOME/bin/}java"
if ! version=$("$java" -version 2>&1); then
    echo "Spark needs Java 17 or newer, and '$java' does not run." >&2
    echo "Install it (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME." >&2
    exit 1
fi
major=$(printf '%s\n' "$version" | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
if [ "${major:-0}" -lt 17 ]; then
    echo "Spark needs Java 17 or newer, and '$java' is:" >&2
    printf '%s\n' "$version" >&2
    echo "Install Java 17 (Debian: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME." >&2
    exit 1
fi
