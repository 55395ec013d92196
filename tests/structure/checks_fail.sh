# SPDX-License-Identifier: Apache-2.0
# A check that cannot fail checks nothing: a copy of the tree is broken in one way at a time, and the check must say so.
set -euo pipefail
source=$(realpath "$1") here=$(dirname "$(realpath "$0")")
folder=$(mktemp -d "${TMPDIR:-/tmp}/convoy-structure-XXXXXX")
trap 'rm -rf "$folder"' EXIT
work=$folder/tree
mkdir "$work"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$work" -xf -

# breaks CHECK TEXT: the check fails and its message contains TEXT.
breaks() {
	if bash "$here/$1.sh" "$work" 2>"$folder/log"; then
		echo "$1 did not notice: $2" >&2
		exit 1
	fi
	grep -qF "$2" "$folder/log" || { cat "$folder/log" >&2; echo "$1 does not say \"$2\"" >&2; exit 1; }
	rm "$folder/log"
}

# broken CHECK FILE LINE TEXT: appends LINE to FILE, and takes it back.
broken() {
	cp "$work/$2" "$folder/kept"
	printf '%s\n' "$3" >>"$work/$2"
	breaks "$1" "$4"
	mv "$folder/kept" "$work/$2"
}

broken arrows model/kvm/arm.c '#include <systemc>' 'model/kvm/arm.c includes <systemc>'
broken arrows model/kernel/irqdesc.c '#include "model/cpu/core.hpp"' 'is C and includes model/cpu/core.hpp'
broken arrows model/kernel/irqdesc.c '#include "model/kvm/kvm.h"' 'includes model/kvm/kvm.h'
broken arrows workloads/workload.c '# include <sqlite3.h>' 'includes <sqlite3.h>'
broken arrows study/param.c '#include "study/store/store.h"' 'includes study/store/store.h'
broken arrows model/gic/gic.c '#include "model/bus/interconnect.hpp"' 'model/gic/gic.c includes'
broken sources base/ids.h "$(seq 400)" 'base/ids.h: 4'
broken documents README.md '[x](docs/nowhere.md)' 'docs/nowhere.md leads nowhere'
broken documents README.md 'see `model/nothing.c`' '`model/nothing.c` is not there'
sed -i 1d "$work/base/ids.h"
breaks sources 'base/ids.h: no line'
