# SPDX-License-Identifier: Apache-2.0
# Do #include lines point only where arrows.txt allows? Headers of the C and C++ standard libraries and of POSIX are free; so that no
# library slips in under a name that is not known here, they are listed.
set -euo pipefail
source=$(realpath "$1")
rules=$(dirname "$(realpath "$0")")/arrows.txt
cd "$source"

find base model workloads study cli -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.def' | sort | while IFS= read -r file; do
	sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*\(["<][^">]*[">]\).*/\1/p' "$file" | sed "s|^|$file |"
done | awk -v rules="$rules" '
BEGIN {
	while ((getline line < rules) > 0) {
		if (line ~ /^#/ || line ~ /^[ \t]*$/)
			continue
		split(line, half, ":")
		gsub(/[ \t]/, "", half[1])
		allowed[half[1]] = half[2]
	}
	split("assert ctype dirent errno fcntl inttypes limits locale math poll signal stdarg stdatomic stdbool stddef stdint stdio stdlib " \
	      "string strings time unistd sys/file sys/ioctl sys/mman sys/prctl sys/resource sys/stat sys/time sys/types sys/wait", c, " ")
	for (i in c)
		free["<" c[i] ".h>"] = 1
	split("algorithm array cassert cstddef cstdint cstdio cstdlib cstring deque functional map memory optional sstream stdexcept " \
	      "string unordered_map utility vector", cpp, " ")
	for (i in cpp)
		free["<" cpp[i] ">"] = 1
}
function may(file, wanted,    rule, best, count, i, list, name) {
	best = ""
	for (rule in allowed)
		if (index(file, rule) == 1 && length(rule) > length(best))
			best = rule
	count = split(allowed[best], list, " ")
	for (i = 1; i <= count; i++) {
		name = list[i]
		# "study/*": that folder itself, without the folders below it
		if (name ~ /\*$/) {
			sub(/\*$/, "", name)
			if (index(wanted, name) == 1 && substr(wanted, length(name) + 1) !~ /\//)
				return 1
		} else if (index(wanted, name) == 1)
			return 1
	}
	return 0
}
{
	seen++
	wanted = $2
	if (wanted in free)
		next
	if (wanted ~ /^"/)
		gsub(/"/, "", wanted)
	if (!may($1, wanted)) {
		printf "%s includes %s: tests/structure/arrows.txt does not allow that\n", $1, wanted
		bad = 1
	}
	# C has no business with C++ headers.
	if ($1 ~ /\.[ch]$/ && wanted ~ /\.hpp$/) {
		printf "%s is C and includes %s\n", $1, wanted
		bad = 1
	}
}
END {
	if (seen < 100) {
		printf "only %d #include lines found: is %s the source folder?\n", seen, ENVIRON["PWD"]
		bad = 1
	}
	exit bad
}' >&2
