#!/usr/bin/env bash
# deploy/image.sh base [FLAGS]   with network: makes the two base images, again after each change of package-lock.json
# deploy/image.sh build [FLAGS]  without network: builds localhost/orrery from this clone
# FLAGS go to `podman build`, such as --isolation=chroot where there is no systemd. ORRERY_ENGINE=docker takes docker in place of podman. Without a registry
# within reach, mmdebstrap makes the Debian below everything.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${ORRERY_ENGINE:-podman}
debian=${ORRERY_DEBIAN:-docker.io/library/debian:bookworm-slim}

make_debian() {
  echo "orrery: no registry answers: making Debian by mmdebstrap" >&2
  mmdebstrap --variant=minbase --include=ca-certificates,libnss-wrapper --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*' \
    bookworm - | "$engine" import - localhost/orrery-debian
  debian=localhost/orrery-debian
}

make_base() {
  "$engine" image inspect "$debian" >/dev/null 2>&1 || "$engine" pull --quiet "$debian" || make_debian
  "$engine" build "$@" --build-arg DEBIAN="$debian" --target system -t localhost/orrery-system -f deploy/base.Containerfile deploy
  packages=$(mktemp -d)
  trap 'rm -rf "$packages"' EXIT
  git ls-files -z '*package.json' package-lock.json .npmrc | xargs -0 cp --parents -t "$packages"
  (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund)
  "$engine" build "$@" --build-arg DEBIAN="$debian" --target base -t localhost/orrery-base -f deploy/base.Containerfile "$packages"
}

case "${1:-}" in
  base) make_base "${@:2}" ;;
  build)
    # The format of OCI has no health check.
    [ "$engine" = docker ] || set -- "$@" --format=docker --pull=never
    "$engine" build "${@:2}" --network=none -t localhost/orrery -f deploy/Containerfile .
    ;;
  *) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
