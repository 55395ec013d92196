# SPDX-License-Identifier: Apache-2.0
# A disk that fills up: one message, exit code 2, finished runs kept, the file whole; room made, the same command goes on.
many="--replications 20"
expect 0 run "$small" -o little.db --points 1 --replications 1 --quiet
expect 0 run "$small" -o whole.db $many --quiet --format csv
cp out whole
little=$(stat -c %s little.db)
whole=$(stat -c %s whole.db)
rm little.db
[ "$whole" -gt $((little + 40000)) ] || fail "the runs take no room"
half=$(((little + whole) / 2 / 1024))

# A limit on the file's size: the same as a full disk, for everybody.
(ulimit -f $half; "$convoy" run "$small" -o limited.db $many >out 2>err)
[ $? = 2 ] || fail "exit code at the file size limit"
says err "limited.db: the file may not grow any more"
[ "$(wc -l <err)" = 1 ] || fail "one line"
only whole.db whole limited.db
expect 0 show limited.db --format csv
[ "$(wc -l <out)" -ge 2 ] || fail "no run kept"
expect 0 run "$small" -o limited.db $many --quiet --format csv
cmp -s out whole || fail "other results after a full disk"

# No room at all: nothing is left.
(ulimit -f 8; "$convoy" run "$small" -o none.db >out 2>err)
[ $? = 2 ] || fail "exit code without any room"
only whole.db whole limited.db

# A real full disk, where this user may mount one.
mkdir small_disk
if mount -t tmpfs -o size=${half}k tmpfs small_disk 2>/dev/null; then
	trap 'umount "$work/small_disk" 2>/dev/null; cd /; rm -rf "$work"' EXIT
	expect 2 run "$small" -o small_disk/full.db $many
	says err "disk full"
	mount -o remount,size=20m small_disk
	[ "$(ls -A small_disk)" = full.db ] || [ -z "$(ls -A small_disk)" ] || fail "left on the disk: $(ls -A small_disk)"
	expect 0 run "$small" -o small_disk/full.db $many --quiet --format csv
	cmp -s out whole || fail "other results after a full disk"
	umount small_disk
else
	echo "no permission to mount: the part with a real full disk was left out"
fi
