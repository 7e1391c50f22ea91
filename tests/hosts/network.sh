# Several hosts on one machine: network namespaces h1, h2, ... with addresses 10.211.0.1, 10.211.0.2, ..., joined by a switch in
# a namespace of its own (tests/hosts/switch), which delays every frame. No address, route or interface of the machine itself is
# used or changed.
#     make_hosts COUNT DELAY; rate RATE HOST...; on_hosts RANKS HOSTS ARGS...; cut_off HOST; connect HOST; remove_hosts

network=sswt$$
address() { echo "10.211.0.$1"; }
host() { echo "$network-h$1"; }

# False, with the reason in $reason: namespaces cannot be made here.
make_hosts() {
  local k ports=""
  host_count=$1
  command -v ip >/dev/null && command -v tc >/dev/null || { reason="ip or tc is missing (Debian: iproute2)"; return 1; }
  ip netns add "$network" 2>/dev/null || { reason="network namespaces cannot be created (they need root)"; return 1; }
  for k in $(seq "$host_count"); do
    ip netns add "$(host "$k")" &&
      ip link add "port$k" netns "$network" type veth peer name eth0 netns "$(host "$k")" &&
      ip -n "$network" link set "port$k" up &&
      ip -n "$(host "$k")" addr add "$(address "$k")/24" dev eth0 &&
      ip -n "$(host "$k")" link set eth0 up && ip -n "$(host "$k")" link set lo up &&
      ip netns exec "$(host "$k")" "$source_tree/tests/hosts/switch" --plain eth0 ||
      { reason="a host cannot be connected"; return 1; }
    ports+=" port$k"
  done 2>/dev/null
  ip netns exec "$network" "$source_tree/tests/hosts/switch" "$2" $ports &
  switch=$!
  # Starts a command on another host, as mpirun calls ssh: a process of that namespace, with a hostname of its own, and with a
  # folder $UNSHARED, if there is one, that is not shared with the others.
  cat >"$scratch/agent" <<END
#!/usr/bin/env bash
while [ "\${1#-}" != "\$1" ]; do shift; done
name=$network-h\${1##*.}
shift
exec ip netns exec "\$name" unshare --uts --mount bash -c 'hostname "\$0"; [ -z "$unshared" ] || mount -t tmpfs none "$unshared"; eval "\$1"' "\$name" "\$*"
END
  chmod +x "$scratch/agent"
}

# rate RATE HOST...: of what a host sends
rate() {
  local k
  for k in "${@:2}"; do
    ip netns exec "$(host "$k")" tc qdisc replace dev eth0 root tbf rate "$1" burst 64kb latency 1s
  done
}

cut_off() { ip -n "$network" link set "port$1" down; }
connect() { ip -n "$network" link set "port$1" up; }

# on_hosts RANKS HOSTS ARGS...: mpirun on host 1, one rank per host of the list (1,2,3), more ranks in turn. Output and exit code
# as for run.
on_hosts() {
  local ranks=$1 list="" k
  title="$1 ranks on hosts $2: seesaw ${*:3}"
  for k in ${2//,/ }; do list+="${list:+,}$(address "$k"):$ranks"; done
  shift 2
  "$scratch/agent" "$(address 1)" exec timeout 300 mpirun --host "$list" --map-by node --oversubscribe -n "$ranks" \
    --mca plm_rsh_agent "$scratch/agent" --mca plm_rsh_no_tree_spawn 1 --mca btl tcp,self \
    --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 \
    --mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 \
    "$(printf '%q ' "$program" "$@")" >"$out" 2>"$err" </dev/null
  code=$?
}

host_processes() {
  local k
  for k in $(seq "${host_count:-0}"); do ip netns pids "$(host "$k")" 2>/dev/null; done
}

remove_hosts() {
  local k pid
  [ -z "${switch:-}" ] || kill "$switch" 2>/dev/null
  for pid in $(host_processes); do kill -9 "$pid" 2>/dev/null; done
  for k in $(seq "${host_count:-0}"); do ip netns del "$(host "$k")" 2>/dev/null; done
  ip netns del "$network" 2>/dev/null
}
