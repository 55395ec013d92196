# SPDX-License-Identifier: Apache-2.0
# What run-demo and run-tests share: installing what is missing, building. Sourced; expects `root`, the repository's folder.
# Packages are asked for at dpkg first, so a machine that has them needs neither a network nor special rights. A package that cannot be
# installed is named and the script goes on: the tools may be there from elsewhere. What really is missing then stops the build.

say() { printf '%s\n' "$*"; }
note() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { note "$*"; exit 1; }

# The packages in packages.txt: `demo` those above the line "# ---- tests", `all` every one.
packages_listed() {
	awk -v part="$1" '/^# ---- tests/ && part == "demo" { exit } !/^#/ && NF { print $1 }' "$root/packages.txt"
}

packages_missing() {
	local installed
	installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk '$2 == "installed" { print $1 }' || true)
	comm -23 <(printf '%s\n' "$@" | sort -u) <(printf '%s\n' "$installed" | sort -u)
}

may_be_root() { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

apt_get() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >>"$root/build/apt.log" 2>&1
}

install_packages() {
	local listed missing release=""
	mapfile -t listed < <(packages_listed "$1")
	[ ${#listed[@]} -gt 0 ] || die "packages.txt lists nothing"
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		note "no dpkg and apt-get here, so this is not Debian 12; what it offers under these names is needed: ${listed[*]}"
		note "going on with what is there"
		return
	fi
	mapfile -t missing < <(packages_missing "${listed[@]}")
	[ ${#missing[@]} -gt 0 ] || return 0
	release=$(. /etc/os-release && printf '%s %s' "${ID:-unknown}" "${VERSION_ID:-}") || true
	[ "$release" = "debian 12" ] || note "this is \"$release\" and not Debian 12: packages may be older, newer or named otherwise"
	if ! may_be_root; then
		note "missing, and only root can install them: apt-get install --no-install-recommends ${missing[*]}"
		note "going on with what is there"
		return
	fi
	say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
	mkdir -p "$root/build"
	: >"$root/build/apt.log"
	# The lists are fetched only when apt does not know the packages, or when what it knows is no longer there.
	if apt-get -qq -s install --no-install-recommends "${missing[@]}" >/dev/null 2>&1 &&
		apt_get -y install --no-install-recommends "${missing[@]}"; then
		return
	fi
	if apt_get update && apt_get -y install --no-install-recommends "${missing[@]}"; then
		return
	fi
	tail -5 "$root/build/apt.log" >&2
	note "apt-get failed (whole output: $root/build/apt.log)"
	mapfile -t missing < <(packages_missing "${missing[@]}")
	note "still missing: ${missing[*]}; going on with what is there"
}

# Browser and driver find each other under that name. Debian's installer writes it into /etc/hosts, debootstrap does not.
ensure_localhost() {
	if getent hosts localhost >/dev/null; then
		return
	fi
	say "The name localhost is not known here: adding it to /etc/hosts"
	if ! may_be_root || ! printf '127.0.0.1\tlocalhost\n' | as_root tee -a /etc/hosts >/dev/null; then
		note "that needs root; without it the browser test (report.browser) fails"
	fi
}

# build PRESET [option…]: configures and builds into build/PRESET. Quiet unless it fails.
build() {
	local preset=$1 log="$root/build/$1.log" cache="$root/build/$1/CMakeCache.txt" options=() began=$SECONDS tool
	shift
	for tool in cmake ninja pkg-config; do
		command -v "$tool" >/dev/null || die "$tool is missing: cannot build"
	done
	mkdir -p "$root/build"
	# A build folder that came from elsewhere, with its clone, is made anew.
	if [ -e "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
		options=(--fresh)
	fi
	say "Building build/$preset …"
	if ! (cd "$root" && cmake --preset "$preset" "${options[@]}" "$@" && cmake --build --preset "$preset") >"$log" 2>&1; then
		grep -m1 -B2 -A20 -E '^FAILED|CMake Error' "$log" >&2 || tail -30 "$log" >&2
		die "build/$preset was not built (whole output: $log)"
	fi
	say "  done in $((SECONDS - began)) s"
}
