#!/usr/bin/env bash
# Writes deploy/.env, which Compose reads, with passwords of this machine's own. What is there is kept.
set -euo pipefail
file="$(dirname "$0")/../.env"
umask 077
touch "$file"
for name in ACTOR_SECRET SPAM_KEY_SECRET TOKEN_KEY ADMIN_PASSWORD POSTGRES_PASSWORD DATABASE_PASSWORD S3_SECRET; do
  grep -q "^$name=" "$file" || echo "$name=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')" >>"$file"
done
echo "$file: ADMIN_PASSWORD is the password of admin"
