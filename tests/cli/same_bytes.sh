# SPDX-License-Identifier: Apache-2.0
# Same bytes whatever compiler and optimisation level: builds the command four times. Takes minutes.
tables() {
	"$1" show "$2" --format csv && "$1" show "$2" --format csv --locks && "$1" show "$2" --format csv --time &&
		"$1" validate --from "$2" --format csv
}

expect 0 run "$small" -o here.db --quiet
tables "$convoy" here.db >here
for build in gcc:g++:-O0 gcc:g++:-O2 clang:clang++:-O0 clang:clang++:-O2; do
	IFS=: read -r cc cxx level <<<"$build"
	command -v $cc >/dev/null || fail "$cc is missing: install the Debian package $cc"
	cmake -G Ninja -S "$source" -B build -DCMAKE_C_COMPILER=$cc -DCMAKE_CXX_COMPILER=$cxx -DCMAKE_BUILD_TYPE=None \
		-DCMAKE_C_FLAGS=$level -DCMAKE_CXX_FLAGS=$level >log 2>&1 &&
		cmake --build build --target convoy >>log 2>&1 || { tail -30 log >&2; fail "build with $build"; }
	build/convoy run "$small" -o "there$level.db" --fresh --quiet >/dev/null || fail "run with $build"
	tables build/convoy "there$level.db" >there || fail "show with $build"
	cmp here there || fail "other bytes with $cc $level"
	rm -rf build "there$level.db"
	echo "same bytes: $cc $level"
done
