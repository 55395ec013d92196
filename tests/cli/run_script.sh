#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one test script: run_script.sh SCRIPT COMMAND SOURCE-FOLDER
# The script runs in an empty folder of its own, which is removed afterwards, with the functions below. It fails at the first
# expectation that does not hold. UPDATE=1 in the environment writes the expected outputs anew (look at the difference).
set -u
script=$(realpath "$1") convoy=$(realpath "$2") source=$(realpath "$3")
here=$(dirname "$script")
work=$(mktemp -d "${TMPDIR:-/tmp}/convoy-cli-XXXXXX")
trap 'cd /; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NO_COLOR CONVOY_PYTHON
export CONVOY_CONFIGS=$source/configs LC_ALL=C.UTF-8
small=$here/data/small.yaml

fail() {
	echo "FAILED: $*" >&2
	[ -f out ] && { echo "--- stdout"; head -40 out; } >&2
	[ -f err ] && { echo "--- stderr"; head -40 err; } >&2
	exit 1
}

# expect CODE arguments…: runs convoy, keeps its output in the files out and err, compares the exit code.
expect() {
	local code=$1 got
	shift
	"$convoy" "$@" >out 2>err
	got=$?
	[ $got = "$code" ] || fail "exit code $got instead of $code: convoy $*"
}

# refuse TEXT arguments…: exit code 2, one line on stderr that contains TEXT, nothing on stdout.
refuse() {
	local text=$1
	shift
	expect 2 "$@"
	grep -qF -- "$text" err || fail "the message of convoy $* does not say \"$text\""
	[ "$(wc -l <err)" = 1 ] || fail "not one line on stderr: convoy $*"
	[ ! -s out ] || fail "output in spite of an error: convoy $*"
}

# says FILE TEXT
says() { grep -qF -- "$2" "$1" || fail "$1 does not say \"$2\""; }
says_not() { ! grep -qF -- "$2" "$1" || fail "$1 says \"$2\""; }

# same_as NAME: out is equal to expected/NAME
same_as() {
	if [ -n "${UPDATE:-}" ]; then
		cp out "$here/expected/$1"
	fi
	diff -u "$here/expected/$1" out >&2 || fail "not as in expected/$1"
}

# only NAME…: the folder holds these files and out and err, nothing else.
only() {
	local left
	left=$(ls -A | grep -vxE "out|err$(printf '|%s' "$@")")
	[ -z "$left" ] || fail "left behind: $left"
}

# Two bytes of SQLite's header tell our files: the user version at 60, the application id at 68.
patch_byte() { printf "\\x$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

. "$script"
echo "ok"
