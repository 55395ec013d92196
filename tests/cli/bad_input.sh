# SPDX-License-Identifier: Apache-2.0
# Bad input: one line that says where and what is allowed, exit code 2, nothing left behind.
bad() { # bad TEXT SED-SCRIPT: the small study, changed
	sed "$2" "$small" >bad.yaml
	cmp -s "$small" bad.yaml && fail "sed $2 changes nothing"
	refuse "$1" run ./bad.yaml
	grep -qE 'bad.yaml:[0-9]+:[0-9]+: ' err || fail "no place in: $(cat err)"
	only bad.yaml
}

bad "host.lin.base" 's/host.line.base/host.lin.base/'
bad "nearest" 's/^workload: /wokload: /'
bad "kernel" 's/kernel: v7.1$/kernel: v7.0-nothing/'
bad "run.warmup" 's/warmup: 50us/warmup: 50/'
bad "run.warmup" 's/warmup: 50us/warmup: 50GHz/'
bad "run.warmup" 's/warmup: 50us/warmup: 500s/'
bad "run.replications" 's/replications: 3/replications: 0/'
bad "workload.irqchip" '0,/irqchip: in-kernel/s//irqchip: nowhere/'
bad "" 's/^variants:/variants: [/'
bad "33" 's/\[1, 2, 8\]/[1, 2, 33]/'

# what a GICv2 has not
refuse "host.cpus: 32 CPUs, but a GICv2" run "$small" --set host.gic.version=v2
says err "allowed: 1 to 8"
refuse "host.gic.cpu_interface_4k: yes, but only a GICv2" run "$small" --set host.gic.cpu_interface_4k=yes

# workloads under the scheduler
refuse "workload.cpus: 2, but only wfi-wake, timer-tick, overcommit and passthrough-net share CPUs" run "$small" --set workload.cpus=2
refuse "workload.vcpus: 1, but wfi-wake needs pairs" run "$small" --set workload.kind=wfi-wake
refuse "workload.cpus: 9, more than the vCPUs" run "$small" --set workload.kind=overcommit --set workload.cpus=9
refuse "kernel.timer_regs: blocking is modelled" run "$small" --set workload.kind=timer-tick --set kernel.timer_regs=hyp-every-switch
refuse "host.cpu.counter_read: 0, but halt polling" run "$small" --set workload.kind=overcommit --set host.cpu.counter_read=0cycles

# 31 vCPUs on an 8-CPU host
cp -r "$source/configs" configs
sed '/^ *cpus:$/{n;s/value: 32/value: 8/}' "$source/configs/hosts/ampere-altra-32.yaml" >configs/hosts/eight.yaml
cmp -s configs/hosts/eight.yaml "$source/configs/hosts/ampere-altra-32.yaml" && fail "the host is unchanged"
sed -e 's/^host: .*/host: eight/' -e 's/\[1, 2, 8\]/[1, 31]/' -e '/measurement/d' -e '/^calibrate/,$d' "$small" >bad.yaml
CONVOY_CONFIGS=$PWD/configs refuse "31" run ./bad.yaml
says err "8"
only bad.yaml configs
rm -r configs

refuse "no study called \"smal\"" run smal
refuse "nothing.yaml: no such file" run ./nothing.yaml
refuse "--set: host.lin.base: no such parameter" run "$small" --set host.lin.base=3ns
refuse "nearest known name: host.line.base" run "$small" --set host.lin.base=3ns
refuse "--set: kernel: no such parameter; the kernel is chosen in the study, by kernel: of each variant" run "$small" --set kernel=v6.6
refuse "--set: gic: no such parameter; the interrupt controller is host.gic.version" run "$small" --set gic=v5
refuse "--set: mode: no such parameter; the mode is kernel.el2" run "$small" --set mode=nvhe
refuse "nearest known name: workload.irqchip" run "$small" --set irqchip=userspace
refuse "no study called \"microbench\": it is a workload, which a study names by workload:" run microbench
refuse "no study called \"kunpeng-920\": it is a host, which a study names by host:" run kunpeng-920
refuse "no study called \"v6.6\": it is a kernel, which a study names by kernel:" run v6.6
refuse "no host called \"one-lock\": it is a study (\`convoy studies one-lock\` shows it" hosts one-lock
refuse "no kernel called \"microbench\": it is a workload, in workloads" kernels microbench
refuse "has no unit" run "$small" --set host.line.base=3
refuse "host.line.base" run "$small" --set host.line.base=3GHz
refuse "is not NAME=VALUE" run "$small" --set host.line.base
refuse "the study small has no \"7\"; it has \"1\", \"2\", \"8\"" run "$small" --points 1,7
refuse "the study small has no \"before\"" run "$small" --variants before
refuse "/nothing/x.db" run "$small" -o /nothing/x.db
refuse "x.db" run "$small" -o /proc/x.db
only bad.yaml
