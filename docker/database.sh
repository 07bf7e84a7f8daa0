#!/bin/sh
# Run once by the image of PostgreSQL, in an empty volume: the login of the servers.
# Its role is granted by the store that `commonplace store init` creates.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$SERVER_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE commonplace_server NOLOGIN;
CREATE ROLE commonplace_http LOGIN PASSWORD :'password' IN ROLE commonplace_server;
SQL
