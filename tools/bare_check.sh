#!/usr/bin/env bash
# The README's commands in an empty Debian 12 (minbase, git, make, sudo): once as root, once as a new
# user with sudo, each in a root and a clean clone of its own. Prints the time of each command.
#   tools/bare_check.sh ['command'…]     default: 'make demo' 'make test'
# BARE_USERS names the users (default: "root newcomer").
# Needs root and debootstrap. How this machine reaches its package servers (apt, pip and npm settings,
# proxies, certificates, folders of wheels) is handed to the empty roots, whatever it is.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ $EUID -ne 0 ]] || ! command -v debootstrap > /dev/null; then
  echo "bare-check: needs root and debootstrap (apt-get install -y debootstrap)" >&2
  exit 3
fi
if [[ -z "${DIFFRAM_BARE_APART:-}" ]]; then
  # A mount namespace of its own: every mount below goes away with it, however this ends.
  DIFFRAM_BARE_APART=1 exec unshare --mount --propagation private "$0" "$@"
fi
[[ $# -gt 0 ]] || set -- 'make demo' 'make test'
bare="$PWD/build/bare"

mirror_of_this_machine() {
  { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; } 2> /dev/null \
    | grep -vE '^\s*#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' '
}

empty_root() {
  local base="$bare/base"
  [[ ! -d "$base" ]] || return 0
  mkdir -p "$bare"
  debootstrap --variant=minbase --include=git,make,sudo,ca-certificates bookworm "$base.partial" \
    "$(mirror_of_this_machine)" > "$bare/debootstrap.log" 2>&1 \
    || { tail -n 5 "$bare/debootstrap.log" >&2; exit 4; }
  mv "$base.partial" "$base"
}

# Copies a file or folder of this machine to the same place in the root, if there is one.
hand_over() {
  local root="$1" path
  for path in "${@:2}"; do
    [[ -e "$path" ]] || continue
    mkdir -p "$root$(dirname "$path")"
    cp -aT "$path" "$root$path"
  done
}

# The folders that pip's settings name, by path or by file: address. An index (PEP 503's simple/) points to
# files beside it, so its parent counts.
folders_of_pip() {
  { env | grep -E '^PIP_'; cat /etc/pip.conf /etc/xdg/pip/* ~/.config/pip/pip.conf; } 2> /dev/null \
    | grep -oE '(file://)?/[^ ,=]+' | sed 's,^file://,,; s,/simple/*$,,' \
    | while read -r path; do [[ ! -d "$path" ]] || echo "$path"; done | sort -u
}

furnish() {
  local root="$1" conf folder
  rm -f "$root/etc/apt/sources.list"
  hand_over "$root" /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/xdg/pip /usr/etc/npmrc \
    /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/auth.conf.d /etc/apt/keyrings \
    /etc/ssl/certs /usr/local/share/ca-certificates
  for conf in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
    if [[ -f "$conf" ]] && grep -q 'Acquire' "$conf"; then hand_over "$root" "$conf"; fi
  done
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/dev/shm"
  while read -r folder; do
    mkdir -p "$root$folder"
    mount --bind "$folder" "$root$folder"
  done < <(folders_of_pip)
}

# What a package client reads from the environment; the rest of this machine's stays outside.
client_settings() {
  env | grep -iE '^(PIP_|npm_config_|[a-z]+_proxy=|no_proxy=|SSL_CERT|[A-Z_]*CA_BUNDLE=|NODE_EXTRA_CA)' || true
}

try_commands() {
  local who="$1" root="$bare/$1" home settings command start status
  shift
  rm -rf --one-file-system "$root"
  cp -a "$bare/base" "$root"
  if [[ "$who" == root ]]; then home=/root; else home="/home/$who"; fi
  if [[ "$who" != root ]]; then
    chroot "$root" useradd --create-home --shell /bin/bash "$who"
    echo "$who ALL=(ALL) NOPASSWD: ALL" > "$root/etc/sudoers.d/$who"
  fi
  git clone -q "file://$PWD" "$root$home/diffram"
  for file in ~/.npmrc ~/.config/pip; do
    [[ ! -e "$file" ]] || { mkdir -p "$root$home/.config"; cp -aT "$file" "$root$home/${file#"$HOME"/}"; }
  done
  chroot "$root" chown -R "$who:" "$home"
  furnish "$root"
  mapfile -t settings < <(client_settings)
  for command in "$@"; do
    start=$SECONDS
    status=0
    chroot "$root" su -s /bin/bash "$who" -c "cd $home/diffram && env ${settings[*]@Q} $command" \
      < /dev/null > "$bare/$who.log" 2>&1 || status=$?
    tail -n 3 "$bare/$who.log"
    echo "bare-check: as $who: $command: $((SECONDS - start)) s, exit status $status"
    [[ $status -eq 0 ]] || failed=1
  done
}

failed=0
empty_root
for user in ${BARE_USERS:-root newcomer}; do
  try_commands "$user" "$@"
done
exit "$failed"
