# SPDX-License-Identifier: Apache-2.0
# Files that are no results files, or those of a newer convoy.
refuse_all() { # refuse_all TEXT FILE
	refuse "$1" show "$2"
	refuse "$1" run "$small" -o "$2"
	refuse "$1" run "$small" -o "$2" --fresh
	refuse "$1" validate --from "$2"
	refuse "$1" report "$2"
}

refuse "nothing.db: No such file or directory" show nothing.db
refuse "nothing.db: No such file or directory" report nothing.db
echo "This is a letter and not a database, which anybody can see at once." >letter.db
cp letter.db before
refuse_all "letter.db: not a database" letter.db
cmp -s letter.db before || fail "the letter was written to"
mkdir folder.db
refuse_all "folder.db: not a regular file" folder.db

expect 0 run "$small" -o good.db --points 1 --quiet
cp good.db newer.db
patch_byte newer.db 63 02
cp newer.db before
refuse_all "newer.db: written by a newer convoy (format 2, this one reads format 1)" newer.db
cmp -s newer.db before || fail "the newer file was written to"
cp good.db foreign.db
patch_byte foreign.db 68 00
refuse_all "foreign.db: a database, but not a convoy results file" foreign.db
head -c 6000 good.db >short.db
refuse "short.db: damaged" show short.db
# An empty file, as mktemp makes one, is a place to write to, but nothing to show.
: >empty.db
refuse "empty.db" show empty.db
expect 0 run "$small" -o empty.db --points 1 --quiet

# Two at once: the second is refused, the first goes on.
"$convoy" run "$small" -o busy.db --points 8 --replications 40 --set run.measure=3ms -j 1 --quiet >first 2>&1 &
pid=$!
for i in $(seq 200); do
	[ -e busy.db ] && break
	sleep 0.02
done
refuse "busy.db: locked by another process" run "$small" -o busy.db --points 8 --replications 40 --set run.measure=3ms
wait $pid || fail "the first one failed: $(cat first)"
only letter.db before folder.db good.db newer.db foreign.db short.db empty.db busy.db first
