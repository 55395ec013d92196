# SPDX-License-Identifier: Apache-2.0
# Ctrl-C and kill: finished runs are kept, the same command goes on, the result is that of an undisturbed study.
long="--set run.measure=3ms --replications 12 --points 8"

expect 0 run "$small" -o whole.db $long --quiet --format csv
cp out whole

rows() { "$convoy" show "$1" --format csv 2>/dev/null | awk -F, 'NR > 1 {n += $5} END {print n + 0}'; }

# interrupt SIGNAL FILE: starts the study, waits for the first finished runs, sends the signal, sets $code.
interrupt() {
	# In a shell that is not interactive, background jobs ignore SIGINT: put that back, in a session of its own.
	setsid /usr/bin/python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
		"$convoy" run "$small" -o "$2" $long -j 1 >out 2>err &
	local pid=$! i
	for i in $(seq 600); do
		[ "$(rows "$2")" -ge 2 ] && break
		sleep 0.05
	done
	kill -"$1" $pid
	wait $pid
	code=$?
	! pgrep -P $pid >/dev/null || fail "children survive"
}

interrupt INT stopped.db
[ $code = 130 ] || fail "exit code $code after SIGINT"
says err "interrupted by Ctrl-C after"
says err "finished runs are kept in stopped.db; to go on: convoy run"
[ "$(grep -c interrupted err)" = 1 ] || fail "one line"
only whole.db whole stopped.db
kept=$(rows stopped.db)
[ "$kept" -ge 2 ] && [ "$kept" -lt 24 ] || fail "$kept runs kept"
# The line that it says, taken at its word.
eval "set -- $(sed -n 's/.*to go on: convoy //p' err)"
expect 0 "$@" --quiet --format csv
cmp -s out whole || fail "an interrupted study gives other results"

interrupt TERM term.db
[ $code = 130 ] || fail "exit code $code after SIGTERM"

interrupt KILL killed.db
[ $code = 137 ] || fail "exit code $code after SIGKILL"
sleep 0.2
expect 0 run "$small" -o killed.db $long --quiet --format csv
cmp -s out whole || fail "a killed study gives other results"
only whole.db whole stopped.db term.db killed.db

# Interrupted before anything was finished: nothing is left.
long="--set run.measure=900ms --points 8"
setsid /usr/bin/python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
	"$convoy" run "$small" -o none.db $long >out 2>err &
pid=$!
for i in $(seq 200); do
	[ -e none.db ] && break
	sleep 0.02
done
sleep 0.3
kill -INT $pid
wait $pid
[ $? = 130 ] || fail "exit code"
says err "no run was finished, none.db is not kept"
only whole.db whole stopped.db term.db killed.db
