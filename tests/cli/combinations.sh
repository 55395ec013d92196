# SPDX-License-Identifier: Apache-2.0
# Every combination of kernel, host, mode, irqchip and workload gives a result or one clear refusal: no crash, no assertion, no simulation
# that never ends, no guest that waits for ever. A sample that has each interrupt controller, each timer policy and each workload.
hosts="amd-seattle neoverse-n1 hip-gicv41 gicv5-reference apple-m1"
kernels="v4.4 v4.19 v6.1 v7.1"
workloads="exit-to-userspace mix wfi-wake timer-tick overcommit ipi timer_10ms eoi timer_write"

# study FILE HOST WORKLOAD KERNEL MODE IRQCHIP: two points of one run each
study() {
	local kind=$3 set="" measure=200us batch=50us warmup=50us
	case $3 in
	mix) set=", workload.mix.hypercall: 50000, workload.mix.mmio_user: 20000" ;;
	timer-tick) set=", workload.timer_tick.period: 50us" ;;
	overcommit) set=", workload.cpus: 1, kernel.time_slice: 20us, kernel.tick: 100us, workload.guest_work: 1us" ;;
	ipi | eoi | timer_write | timer_10ms) kind=microbench set=", workload.exit: $3" ;;
	esac
	[ "$3" = timer_10ms ] && measure=20ms batch=20ms warmup=12ms
	cat >"$1" <<-END
	study: combination
	question: Does $2 with $4 do $3?
	host: $2
	workload: $kind
	axis:
	  workload.vcpus: [2, 4]
	run: { replications: 1, warmup: $warmup, measure: $measure, batch: $batch, seed: 1 }
	variants:
	  - name: one
	    meaning: $5, $6
	    kernel: $4
	    set: { kernel.el2: $5, workload.irqchip: $6$set }
	END
}

# one NAME: runs NAME.yaml; a line with what came of it
one() {
	timeout 20 "$convoy" run "./$1.yaml" -q -j 1 -o "$1.db" --format csv >"$1.out" 2>"$1.err"
	local code=$?
	if [ $code = 2 ] && [ "$(wc -l <"$1.err")" = 1 ]; then
		echo refused
	elif [ $code = 0 ] && awk -F, 'NR > 1 && $5 + 0 > 0 { n++ } END { exit n != 2 }' "$1.out"; then
		echo ran
	else
		echo "FAILED $1: exit code $code: $(cat "$1.err" "$1.out")"
	fi
	rm -f "$1".db "$1".out "$1".err "$1".yaml
}
export convoy
export -f one

for host in $hosts; do
	for kernel in $kernels; do
		for mode in vhe nvhe; do
			for irqchip in in-kernel userspace; do
				for workload in $workloads; do
					name=$host,$kernel,$mode,$irqchip,$workload
					study "$name.yaml" $host $workload $kernel $mode $irqchip
					echo "$name"
				done
			done
		done
	done
done >all
xargs -P 2 -I NAME bash -c 'one NAME' <all >came

grep -q FAILED came && fail "$(grep FAILED came)"
[ "$(grep -cE '^(ran|refused)$' came)" = "$(wc -l <all)" ] || fail "not each of $(wc -l <all) combinations ended: $(sort came | uniq -c)"
# Not a boundary of anything: enough of them are no nonsense, so a refusal of all that is asked for would show.
[ "$(grep -c '^ran$' came)" -ge 200 ] || fail "only $(grep -c '^ran$' came) combinations ran"
grep -c . came
sort came | uniq -c
