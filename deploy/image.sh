#!/usr/bin/env bash
# deploy/image.sh [NAME[:TAG]] [OPTIONS OF THE BUILDER...]: builds the image with buildah or docker, whichever is there (BUILDER
# names one). Without a tag it is the version of package.json. NODE_IMAGE is another base, with Node and Debian's packages.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
name=${1:-sevenfold}
shift || true
case ${name##*/} in *:*) ;; *) name=$name:$version ;; esac
revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
# The same sources make the same layers: no time but that of the commit.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

options=(--build-arg "VERSION=$version" --build-arg "REVISION=$revision" --file deploy/Dockerfile --tag "$name")
if [ -n "${NODE_IMAGE:-}" ]; then options+=(--build-arg "NODE_IMAGE=$NODE_IMAGE"); fi

builder=${BUILDER:-$(command -v buildah || command -v docker || true)}
case ${builder##*/} in
  # Health checks are no part of the other format.
  buildah*) $builder build --format docker --layers --timestamp "$SOURCE_DATE_EPOCH" "${options[@]}" "$@" . ;;
  docker*) $builder build "${options[@]}" "$@" . ;;
  *) echo "Neither buildah nor docker was found." >&2; exit 1 ;;
esac
echo "$name"
