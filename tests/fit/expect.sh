# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests here: one line for each expectation; `failed` is 1 once one was not met.
failed=0

expect() {  # what, awk condition on `v`, value
	if awk -v v="$3" "BEGIN { exit !($2) }"; then
		printf 'ok    %s: %s\n' "$1" "$3"
	else
		printf 'FAILED %s: %s, expected %s\n' "$1" "$3" "$2"
		failed=1
	fi
}
