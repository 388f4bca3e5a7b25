#!/usr/bin/env bash
# Install the servers that tests start: provide_servers.sh [postgresql] [mariadb]. Debian, as root.
set -uo pipefail

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

# Debian keeps the servers' binaries off the PATH.
has_postgresql() {
    command -v postgres >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null
}

install_packages() {
    DEBIAN_FRONTEND=noninteractive as_root apt-get -qq install --yes --no-install-recommends \
        -o Dpkg::Options::=--force-confold "$@" >/dev/null
}

install_postgresql() {
    # The tests start servers of their own: Debian's must not start one.
    as_root mkdir -p /etc/postgresql-common &&
        echo 'create_main_cluster = false' |
        as_root tee /etc/postgresql-common/createcluster.conf >/dev/null &&
        install_packages postgresql
}

has_mariadb() {
    PATH="$PATH:/usr/sbin" command -v mariadbd >/dev/null &&
        command -v mariadb-install-db >/dev/null && command -v my_print_defaults >/dev/null
}

install_mariadb() {
    # The binaries of mariadb-server, without the service that it starts.
    install_packages mariadb-server-core mariadb-client-core
}

# Usage: provide NAME FUNCTIONS' SUFFIX PACKAGES
provide() {
    "has_$2" && return
    echo "Installing $1 for the tests on a real server ..."
    as_root apt-get -qq update && "install_$2" && return
    echo "$1 could not be installed. Install it (apt-get install $3) or run as root; the tests" >&2
    echo "that need it say so." >&2
}

for server in "$@"; do
    case $server in
        postgresql) provide PostgreSQL postgresql postgresql ;;
        mariadb) provide MariaDB mariadb "mariadb-server-core mariadb-client-core" ;;
        *) echo "unknown server: $server. Known: postgresql, mariadb." >&2; exit 2 ;;
    esac
done
