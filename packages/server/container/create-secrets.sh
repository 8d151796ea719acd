#!/bin/sh
# Creates the secrets of compose.yaml in the folder secrets. Existing files are kept.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
# Containers read the files as another user: the folder, which is not mounted, protects them.
create() {
  if [ ! -s "secrets/$1" ]; then cat > "secrets/$1"; fi
  chmod 0444 "secrets/$1"
}
random() { openssl rand -hex 32; }
random | create database-password
random | create servicekit-secret
random | create control-token
random | create storage-key
printf 'postgres://servicekit:%s@database/servicekit\n' "$(cat secrets/database-password)" | create database-url
printf '{"identities":[{"name":"servicekit","credentials":[{"accessKey":"servicekit","secretKey":"%s"}],"actions":["Admin","Read","Write","List","Tagging"]}]}\n' \
  "$(cat secrets/storage-key)" | create storage-config
