# SPDX-License-Identifier: Apache-2.0
# What the documents point at is there: relative links, and files named in `backquotes` that look like a path of this repository.
set -euo pipefail
cd "$1"
bad=0 seen=0
for document in README.md CHANGELOG.md docs/*.md; do
	folder=$(dirname "$document")
	while IFS= read -r target; do
		seen=$((seen + 1))
		if [ ! -e "$folder/${target%%#*}" ]; then
			echo "$document: the link to $target leads nowhere" >&2
			bad=1
		fi
	done < <(grep -oE '\]\([^)# ]+[^) ]*\)' "$document" | sed 's/^](//; s/)$//' | grep -vE '^(https?|mailto):' || true)
	while IFS= read -r target; do
		seen=$((seen + 1))
		if [ ! -e "$target" ]; then
			echo "$document: \`$target\` is not there" >&2
			bad=1
		fi
	done < <(grep -oE '`(base|bench|cli|cmake|configs|docs|model|reports|scripts|study|tests|workloads)/[A-Za-z0-9_./-]+`' "$document" |
		tr -d '`' | grep -vE 'NAME' || true)
done
if [ "$seen" -lt 20 ]; then
	echo "only $seen links and paths found" >&2
	bad=1
fi
exit $bad
