# A role and a database for each name in DATABASES. The image of PostgreSQL runs it once, when its volume is empty.
set -eu
for name in $DATABASES; do
  psql -v ON_ERROR_STOP=1 -U postgres -v name="$name" -v password="$DATABASE_PASSWORD" <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name" encoding 'UTF8' template template0;
\connect :"name"
create extension if not exists pg_trgm;
create extension if not exists unaccent;
SQL
done
