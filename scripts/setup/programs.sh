#!/bin/sh
# Installs the programs that some tests use, and are skipped without: Chromium, nginx, Caddy and HAProxy.
# Only on a machine of Debian's kind and as root, which CI is. Never fails: the tests' summary names what is skipped.

missing=""
for program in nginx caddy haproxy; do
  command -v "$program" >/dev/null || missing="$missing $program"
done

# The paths of packages/spillway/test/chromium.ts.
chromium=""
for path in "${SPILLWAY_CHROMIUM:-}" /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome; do
  if [ -n "$path" ] && [ -e "$path" ]; then chromium=$path; fi
done
[ -n "$chromium" ] || missing="$missing chromium"

[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null || exit 0
[ "$(id -u)" = 0 ] || exit 0

apt() {
  # Tests start servers of their own: RUNLEVEL keeps the packages from starting theirs.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq \
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=60 \
    "$@" >/dev/null 2>&1 </dev/null
}

echo "Installing for tests:$missing"
apt update
# One by one: a system that lacks one of them still gets the others.
for program in $missing; do
  apt install -y --no-install-recommends "$program" || echo "Not installed: $program; its tests are skipped"
done
exit 0
