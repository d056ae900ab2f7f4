# Attacks by programs of the system that may have rights which the bot lacks: run.sh WHICH key=value...
which=$1
for word in "$@"; do case $word in *=*) eval "${word%%=*}='${word#*=}'";; esac; done

# Ends with `succeeded` if the command succeeds, and with `untried` if the program is not installed.
try() {
    command -v "$1" >/dev/null 2>&1 || { echo "ATTACK $name untried: there is no $1" >&2; exit 77; }
    if "$@" </dev/null >/dev/null 2>&1; then echo "ATTACK $name succeeded: $*" >&2; exit 7; fi
    echo "ATTACK $name held: $*" >&2
    exit 0
}

case $which in
    unshare) try unshare --user --map-root-user true ;;
    bwrap) try bwrap --ro-bind / / --dev-bind "$folder" /tmp cat /tmp/secret ;;
    nsenter) try nsenter --target 1 --mount cat "$folder/secret" ;;
    mount) try mount --bind "$folder" /tmp ;;
    su) if [ "$(id -u)" = 0 ]; then echo "ATTACK $name untried: it is root" >&2; exit 77; fi; try su -c true ;;
    sudo) try sudo -n true ;;
    pkexec) try pkexec true ;;
    crontab) try sh -c 'echo "" | crontab -' ;;
    at) try sh -c 'echo true | at now' ;;
    systemd-run) try systemd-run --user true ;;
    kill) try kill -URG "$pid" ;;
    renice) try renice -n 5 -p "$pid" ;;
    taskset) try taskset -p ffff "$pid" ;;
    chrt) try chrt --idle 0 true ;;
    prlimit) try prlimit --pid "$pid" --core ;;
    setpriv) try setpriv --reuid=0 true ;;
    cat) try cat "$folder/secret" ;;
    cp) try cp "$folder/secret" /dev/stdout ;;
    tar) try sh -c "tar -cf - '$folder/secret' | grep -q ustar" ;;
    find) try find "$folder" -name secret -print -quit ;;
    dd) try dd if="$folder/secret" of=/dev/null ;;
    redirect) try sh -c "echo x >>'$folder/secret'" ;;
    strace) try strace -p "$pid" -o /dev/null -c timeout 1 true ;;
    gdb) try gdb -p "$pid" -batch ;;
    wall) [ -t 2 ] && exit 77; try wall "$name" ;;
    curl) try curl --silent --max-time 3 "http://127.0.0.1:$tcp/" ;;
    ping) try ping -c 1 -W 1 127.0.0.1 ;;
    ip) try ip link add attack type dummy ;;
    dmesg) try dmesg ;;
    losetup) try losetup -f ;;
    setfattr) try setfattr -n user.attack -v 1 "$folder/secret" ;;
    chattr) try chattr +d "$folder/secret" ;;
    newuidmap) try newuidmap $$ 0 0 1 ;;
    fusermount) try fusermount3 "${TMPDIR:-/tmp}" ;;
    supervisor) try sh -c 'kill -URG 1' ;;
    arena) try sh -c 'printf "{\"type\":\"quit\"}\n" | { /.arena bot alphabeta || arena bot alphabeta; }' ;;
    *) echo "ATTACK $name untried: no such program" >&2; exit 77 ;;
esac
