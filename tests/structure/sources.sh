# SPDX-License-Identifier: Apache-2.0
# Every source file names its licence at its top, and none has more than 400 lines.
set -euo pipefail
cd "$1"
bad=0 seen=0
while IFS= read -r file; do
	seen=$((seen + 1))
	if ! head -3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0'; then
		echo "$file: no line \"SPDX-License-Identifier: Apache-2.0\" at its top" >&2
		bad=1
	fi
	if [ "$(wc -l <"$file")" -gt 400 ]; then
		echo "$file: $(wc -l <"$file") lines; one concept a file, 400 lines at most" >&2
		bad=1
	fi
done < <(find . -path './build*' -prune -o -path ./.git -prune -o -type f \
	\( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.def' -o -name '*.py' -o -name '*.sh' -o -name '*.js' -o -name '*.css' \
	-o -name '*.cmake' -o -name CMakeLists.txt -o -path './run-*' -o -path './.ci/*' -o -path ./scripts/documents \) -print)
if [ "$seen" -lt 100 ]; then
	echo "only $seen source files found: is $1 the source folder?" >&2
	bad=1
fi
exit $bad
