//! The system calls that a program in a sandbox may use, as data: groups, each with its reason.
//!
//! A call that is in no group fails as on a kernel that lacks it (`ENOSYS`). A call whose arguments match no form of
//! its group is refused (`EPERM`). So a request that a later kernel adds to `fcntl`, `ioctl` or `prctl` is refused
//! until it is added here.
//!
//! The calls were found by running the bots of `bots/` and their compilers in each tier, and compared with systemd's
//! `@system-service`, Docker's default profile and Chromium's baseline policy. Deliberately missing are changes to the
//! machine, namespaces, keys, tracing, memory of other processes, `io_uring`, `bpf`, performance counters and
//! notifications of changes to files. Also missing are shared memory and messages of System V and POSIX, which outlive
//! their processes, and calls that show or change the page cache (`mincore`, `cachestat`, `readahead`, `openat2` with
//! `RESOLVE_CACHED`), calls that store in the kernel what no cgroup counts (`mbind`, `PR_SET_VMA`),
//! and `landlock_*`: the kernel frees the rules of ended processes later, in a thread of its own, which may take
//! time from the opponent.

use libc::c_long;

use self::Only::{Bits, NotNull, Null, OneOf, Own};

pub struct Group {
    #[expect(dead_code, reason = "for the reader of this table")]
    pub why: &'static str,
    pub when: When,
    pub calls: &'static [c_long],
    /// A call is allowed if all checks of at least one form hold.
    pub forms: &'static [&'static [Only]],
}

/// A check of one argument, by its number from 0. The kernel reads all arguments but pointers as 32 bits.
pub enum Only {
    OneOf(u8, &'static [u64]),
    /// The argument has no other bits than these.
    Bits(u8, u64),
    Null(u8),
    NotNull(u8),
    /// The argument is the program's process number, or 0, which means the caller or its process group.
    Own(u8),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    Always,
    Builds,
    /// In any sandbox that is not for a build.
    Plays,
    Network,
    /// In a sandbox whose signals the kernel does not let out.
    SignalsKept,
    /// In a sandbox whose signals can reach processes outside.
    SignalsNotKept,
}

/// Calls that succeed without effect.
pub const WITHOUT_EFFECT: &[Group] = &[
    Group {
        why: "a lock on a file that two boxes can open, such as a library or `/dev/null`, would carry a message from one \
              box to the other. It would also block programs outside, and slow down each closing of the file. A program \
              that locks its own file works as before",
        when: When::Always,
        calls: &[libc::SYS_flock],
        forms: ANY,
    },
    Group {
        why: "the same",
        when: When::Always,
        calls: &[libc::SYS_fcntl],
        forms: &[&[OneOf(1, &SET_LOCK)]],
    },
    Group {
        why: "functions that copy files, such as Python's shutil.copy, end with these calls. Landlock does not check them",
        when: When::Plays,
        calls: &[libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchmodat2],
        forms: ANY,
    },
    Group {
        why: "the same for given times. Without times, it is a call for the present: Python's Path.touch makes no file if \
              that call succeeds",
        when: When::Plays,
        calls: &[libc::SYS_utimensat],
        // The command `touch` names the open file by its descriptor.
        forms: &[&[NotNull(2)], &[Null(1)]],
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "the older name for permissions",
        when: When::Plays,
        calls: &[libc::SYS_chmod],
        forms: ANY,
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "older names for times",
        when: When::Plays,
        calls: &[libc::SYS_utime, libc::SYS_utimes],
        forms: &[&[NotNull(1)]],
    },
    Group {
        why: "outside a sandbox, a program may always lower its priority, as with Python's os.nice",
        when: When::Plays,
        calls: &[libc::SYS_setpriority],
        forms: &[&[OneOf(0, &[libc::PRIO_PROCESS as u64]), Own(1)]],
    },
];
const SET_LOCK: [u64; 4] = [
    libc::F_SETLK as u64,
    libc::F_SETLKW as u64,
    libc::F_OFD_SETLK as u64,
    libc::F_OFD_SETLKW as u64,
];

const SOCKET_OPTIONS: &[u64] = &[
    libc::SO_REUSEADDR as u64,
    libc::SO_REUSEPORT as u64,
    libc::SO_BROADCAST as u64,
    libc::SO_KEEPALIVE as u64,
    libc::SO_LINGER as u64,
    libc::SO_OOBINLINE as u64,
    libc::SO_SNDBUF as u64,
    libc::SO_RCVBUF as u64,
    libc::SO_RCVLOWAT as u64,
    libc::SO_SNDTIMEO as u64,
    libc::SO_RCVTIMEO as u64,
];

const IP_OPTIONS: &[u64] = &[
    libc::IP_TOS as u64,
    libc::IP_TTL as u64,
    libc::IP_MTU_DISCOVER as u64,
    libc::IP_RECVERR as u64,
];
const IPV6_OPTIONS: &[u64] = &[
    libc::IPV6_V6ONLY as u64,
    libc::IPV6_TCLASS as u64,
    libc::IPV6_UNICAST_HOPS as u64,
    libc::IPV6_MTU_DISCOVER as u64,
    libc::IPV6_RECVERR as u64,
];
const TCP_OPTIONS: &[u64] = &[
    libc::TCP_NODELAY as u64,
    libc::TCP_CORK as u64,
    libc::TCP_KEEPIDLE as u64,
    libc::TCP_KEEPINTVL as u64,
    libc::TCP_KEEPCNT as u64,
    libc::TCP_SYNCNT as u64,
    libc::TCP_QUICKACK as u64,
    libc::TCP_USER_TIMEOUT as u64,
];

/// The limits that a program may lower. Its hard limits keep it from raising any.
const LIMITS: &[u64] = &[
    libc::RLIMIT_CPU as u64,
    libc::RLIMIT_FSIZE as u64,
    libc::RLIMIT_DATA as u64,
    libc::RLIMIT_STACK as u64,
    libc::RLIMIT_RSS as u64,
    libc::RLIMIT_NPROC as u64,
    libc::RLIMIT_NOFILE as u64,
    libc::RLIMIT_MEMLOCK as u64,
    libc::RLIMIT_AS as u64,
    libc::RLIMIT_NICE as u64,
    libc::RLIMIT_RTPRIO as u64,
];

const ANY: &[&[Only]] = &[&[]];
/// The forms of a call that exists, but is always refused.
const NONE: &[&[Only]] = &[];

/// Flags of `clone` for threads and processes. Excludes namespaces, another parent, and exit signals except `SIGCHLD`.
const THREADS: u64 = (libc::CLONE_VM
    | libc::CLONE_FS
    | libc::CLONE_FILES
    | libc::CLONE_SIGHAND
    | libc::CLONE_PIDFD
    | libc::CLONE_VFORK
    | libc::CLONE_THREAD
    | libc::CLONE_SYSVSEM
    | libc::CLONE_SETTLS
    | libc::CLONE_PARENT_SETTID
    | libc::CLONE_CHILD_CLEARTID
    | libc::CLONE_CHILD_SETTID
    | libc::CLONE_DETACHED
    | libc::SIGCHLD) as u64;

/// The permissions that a file may get. Excludes set-user-ID and set-group-ID: with these, a program runs as the file's
/// owner, who may be the arena's user.
const PERMISSIONS: u64 = !0o6000;
/// The flags of `open` that do not create a file. If no file is created, the permissions do not matter.
const OPENING: u64 = !((libc::O_CREAT | libc::O_TMPFILE & !libc::O_DIRECTORY) as u64);

/// The flags that `F_SETFL` may set: all that `F_GETFL` returns, without `O_ASYNC`, which sends signals.
const STATUS_FLAGS: u64 = (libc::O_ACCMODE
    | libc::O_APPEND
    | libc::O_NONBLOCK
    | libc::O_SYNC
    | libc::O_DIRECT
    | libc::O_NOATIME
    | libc::O_DIRECTORY
    | libc::O_NOFOLLOW
    | libc::O_PATH
    | libc::O_LARGEFILE) as u64
    // The kernel's `O_LARGEFILE`, which is 0 in `libc`.
    | 0o100_000;

/// Flags of `preadv2` and `pwritev2`: high priority, synchronous data and metadata, append. Excludes `RWF_NOWAIT`,
/// which shows what is in the page cache, and `RWF_DONTCACHE`, which changes it.
const READ_FLAGS: u64 = 0x01 | 0x02 | 0x04 | 0x10;

/// The flags of a mapping. Excludes `MAP_POPULATE` and `MAP_LOCKED`: with these, one call can run in the kernel until
/// memory is full, even while the program is stopped. Also excludes huge pages, which all programs share.
const MAPPING: u64 = (libc::MAP_SHARED
    | libc::MAP_PRIVATE
    | libc::MAP_FIXED
    | libc::MAP_ANONYMOUS
    | MAP_32BIT
    | libc::MAP_GROWSDOWN
    | libc::MAP_DENYWRITE
    | libc::MAP_EXECUTABLE
    | libc::MAP_NORESERVE
    | libc::MAP_NONBLOCK
    | libc::MAP_STACK
    | libc::MAP_SYNC
    | libc::MAP_FIXED_NOREPLACE) as u64;
/// Only x86-64 has this flag.
const MAP_32BIT: i32 = 0x40;

/// Advice on the program's own memory. Excludes `MADV_POPULATE_READ` and `MADV_POPULATE_WRITE` (for the same reason as
/// `MAP_POPULATE`), `MADV_PAGEOUT` and `MADV_COLD`, which change the page cache, `MADV_REMOVE`, which writes to files,
/// `MADV_MERGEABLE`, which shows what other programs have in memory, and `MADV_WILLNEED`, which begins many reads at once.
const ADVICE: &[u64] = &[
    libc::MADV_NORMAL as u64,
    libc::MADV_RANDOM as u64,
    libc::MADV_SEQUENTIAL as u64,
    libc::MADV_DONTNEED as u64,
    libc::MADV_FREE as u64,
    libc::MADV_DONTFORK as u64,
    libc::MADV_DOFORK as u64,
    libc::MADV_HUGEPAGE as u64,
    libc::MADV_NOHUGEPAGE as u64,
    libc::MADV_DONTDUMP as u64,
    libc::MADV_DODUMP as u64,
    libc::MADV_WIPEONFORK as u64,
    libc::MADV_KEEPONFORK as u64,
];

/// Requests of `ioctl` (`asm-generic/ioctls.h` of the kernel). In `libc` their type depends on the C library.
const TCGETS: u64 = 0x5401;
const TIOCGWINSZ: u64 = 0x5413;
const FIONREAD: u64 = 0x541b;
const FIONBIO: u64 = 0x5421;
const FIONCLEX: u64 = 0x5450;
const FIOCLEX: u64 = 0x5451;
/// Newer C libraries use this to find out whether a descriptor is a terminal.
const TCGETS2: u64 = 0x802c_542a;

const SOCKET_FLAGS: u64 = (libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as u64;

const fn flags(kind: i32, more: u64) -> Only {
    Bits(1, kind as u64 | more)
}

/// A call in several groups has the forms of all groups that apply to the sandbox.
pub const GROUPS: &[Group] = &[
    Group {
        why: "reading and writing what is open; the files themselves are guarded by mounts and Landlock",
        when: When::Always,
        calls: &[
            libc::SYS_read,
            libc::SYS_write,
            libc::SYS_readv,
            libc::SYS_writev,
            libc::SYS_pread64,
            libc::SYS_pwrite64,
            libc::SYS_preadv,
            libc::SYS_pwritev,
            libc::SYS_lseek,
            libc::SYS_close,
            libc::SYS_close_range,
            libc::SYS_dup,
            libc::SYS_dup3,
            libc::SYS_pipe2,
            libc::SYS_sendfile,
            libc::SYS_splice,
            libc::SYS_tee,
            libc::SYS_vmsplice,
            libc::SYS_copy_file_range,
            libc::SYS_eventfd2,
            libc::SYS_epoll_create1,
            libc::SYS_epoll_ctl,
            libc::SYS_epoll_pwait,
            libc::SYS_epoll_pwait2,
            libc::SYS_ppoll,
            libc::SYS_pselect6,
        ],
        forms: ANY,
    },
    Group {
        why: "reading with an offset and flags, as Python does",
        when: When::Always,
        calls: &[libc::SYS_preadv2, libc::SYS_pwritev2],
        forms: &[&[Bits(5, READ_FLAGS)]],
    },
    Group {
        why: "renaming and exchanging files; without RENAME_WHITEOUT, which makes a device",
        when: When::Always,
        calls: &[libc::SYS_renameat2],
        forms: &[&[Bits(
            4,
            (libc::RENAME_NOREPLACE | libc::RENAME_EXCHANGE) as u64,
        )]],
    },
    Group {
        why: "names, sizes and contents of files, and locks (WITHOUT_EFFECT)",
        when: When::Always,
        calls: &[
            libc::SYS_fstat,
            libc::SYS_newfstatat,
            libc::SYS_statx,
            libc::SYS_statfs,
            libc::SYS_fstatfs,
            libc::SYS_faccessat,
            libc::SYS_faccessat2,
            libc::SYS_readlinkat,
            libc::SYS_getdents64,
            libc::SYS_getcwd,
            libc::SYS_chdir,
            libc::SYS_fchdir,
            libc::SYS_umask,
            libc::SYS_unlinkat,
            libc::SYS_renameat,
            libc::SYS_linkat,
            libc::SYS_symlinkat,
            libc::SYS_truncate,
            libc::SYS_ftruncate,
            libc::SYS_flock,
            libc::SYS_fsync,
            libc::SYS_fdatasync,
            libc::SYS_sync_file_range,
            libc::SYS_getxattr,
            libc::SYS_lgetxattr,
            libc::SYS_fgetxattr,
            libc::SYS_listxattr,
            libc::SYS_llistxattr,
            libc::SYS_flistxattr,
        ],
        forms: ANY,
    },
    Group {
        why: "files, and new ones",
        when: When::Always,
        calls: &[libc::SYS_openat],
        forms: &[&[Bits(2, OPENING)], &[Bits(3, PERMISSIONS)]],
    },
    Group {
        why: "new folders",
        when: When::Always,
        calls: &[libc::SYS_mkdirat],
        forms: &[&[Bits(2, PERMISSIONS)]],
    },
    Group {
        why: "allocating space, which becomes part of the file's size; FALLOC_FL_KEEP_SIZE would evade every size limit",
        when: When::Always,
        calls: &[libc::SYS_fallocate],
        forms: &[&[OneOf(1, &[0])]],
    },
    Group {
        why: "compilers and archivers change owners and times of files, which Landlock does not check. A bot could \
              store data in the times of devices. Extended attributes are left out: access lists are among them",
        when: When::Builds,
        calls: &[libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat],
        forms: ANY,
    },
    Group {
        why: "make gives its commands the ids that it has; without privileges there are no others",
        when: When::Builds,
        calls: &[libc::SYS_setresuid, libc::SYS_setresgid],
        forms: ANY,
    },
    Group {
        why: "compilers make programs",
        when: When::Builds,
        calls: &[libc::SYS_fchmod],
        forms: &[&[Bits(1, PERMISSIONS)]],
    },
    Group {
        why: "the same by a path",
        when: When::Builds,
        calls: &[libc::SYS_fchmodat, libc::SYS_fchmodat2],
        forms: &[&[Bits(2, PERMISSIONS)]],
    },
    Group {
        why: "copies of descriptors, their flags, the size of a pipe, seals of memory files, and locks (WITHOUT_EFFECT). \
              SQLite asks for the locks of others: no bot has any. Without leases, which block others that open a file, and \
              without notices, owners and signals, which reach others",
        when: When::Always,
        calls: &[libc::SYS_fcntl],
        forms: &[
            &[OneOf(
                1,
                &[
                    libc::F_DUPFD as u64,
                    libc::F_DUPFD_CLOEXEC as u64,
                    libc::F_GETFD as u64,
                    libc::F_SETFD as u64,
                    libc::F_GETFL as u64,
                    libc::F_GETLK as u64,
                    libc::F_OFD_GETLK as u64,
                    libc::F_GETPIPE_SZ as u64,
                    libc::F_ADD_SEALS as u64,
                    libc::F_GET_SEALS as u64,
                ],
            )],
            &[OneOf(1, &SET_LOCK)],
            &[OneOf(1, &[libc::F_SETFL as u64]), Bits(2, STATUS_FLAGS)],
            // If a user's pipes exceed 64 MiB, new pipes are small. So no bot may make a pipe larger than usual.
            &[OneOf(1, &[libc::F_SETPIPE_SZ as u64]), Bits(2, 0xffff)],
            &[
                OneOf(1, &[libc::F_SETPIPE_SZ as u64]),
                OneOf(2, &[0x1_0000]),
            ],
        ],
    },
    Group {
        why: "whether a descriptor is a terminal and how wide, how much can be read, and its flags",
        when: When::Always,
        calls: &[libc::SYS_ioctl],
        forms: &[&[OneOf(
            1,
            &[
                TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX,
            ],
        )]],
    },
    Group {
        why: "advice on reading that is no more than a hint; not what empties the page cache, or begins many reads",
        when: When::Always,
        calls: &[libc::SYS_fadvise64],
        forms: &[&[OneOf(
            3,
            &[
                libc::POSIX_FADV_NORMAL as u64,
                libc::POSIX_FADV_SEQUENTIAL as u64,
                libc::POSIX_FADV_RANDOM as u64,
            ],
        )]],
    },
    Group {
        why: "memory of its own",
        when: When::Always,
        calls: &[
            libc::SYS_mprotect,
            libc::SYS_munmap,
            libc::SYS_brk,
            libc::SYS_mremap,
            libc::SYS_msync,
            libc::SYS_mlock,
            libc::SYS_mlock2,
            libc::SYS_munlock,
            libc::SYS_mlockall,
            libc::SYS_munlockall,
            libc::SYS_mseal,
            libc::SYS_pkey_mprotect,
            libc::SYS_pkey_alloc,
            libc::SYS_pkey_free,
            libc::SYS_get_mempolicy,
            libc::SYS_set_mempolicy,
        ],
        forms: ANY,
    },
    Group {
        why: "files in its own memory: sealed or not, executable or not, but not of huge pages (MAPPING)",
        when: When::Always,
        calls: &[libc::SYS_memfd_create],
        forms: &[&[Bits(
            1,
            (libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING | libc::MFD_NOEXEC_SEAL | libc::MFD_EXEC)
                as u64,
        )]],
    },
    Group {
        why: "more memory of its own",
        when: When::Always,
        calls: &[libc::SYS_mmap],
        forms: &[&[Bits(3, MAPPING)]],
    },
    Group {
        why: "how its own memory is used",
        when: When::Always,
        calls: &[libc::SYS_madvise],
        forms: &[&[OneOf(2, ADVICE)]],
    },
    Group {
        why: "processes and threads",
        when: When::Always,
        calls: &[
            libc::SYS_execve,
            libc::SYS_execveat,
            libc::SYS_exit,
            libc::SYS_exit_group,
            libc::SYS_wait4,
            libc::SYS_waitid,
            libc::SYS_set_tid_address,
            libc::SYS_set_robust_list,
            libc::SYS_futex,
            libc::SYS_futex_waitv,
            libc::SYS_rseq,
            libc::SYS_restart_syscall,
            libc::SYS_getpid,
            libc::SYS_getppid,
            libc::SYS_gettid,
            libc::SYS_getuid,
            libc::SYS_geteuid,
            libc::SYS_getgid,
            libc::SYS_getegid,
            libc::SYS_getgroups,
            libc::SYS_getresuid,
            libc::SYS_getresgid,
            libc::SYS_getpgid,
            libc::SYS_getsid,
            // A program can join only process groups of its own session.
            libc::SYS_setpgid,
            libc::SYS_setsid,
            libc::SYS_capget,
            libc::SYS_pidfd_open,
        ],
        forms: ANY,
    },
    Group {
        why: "new threads and processes. `clone3` does not exist: its flags are in memory, where no filter sees them",
        when: When::Always,
        calls: &[libc::SYS_clone],
        forms: &[&[Bits(0, THREADS)]],
    },
    Group {
        why: "names of threads, and what it may not gain",
        when: When::Always,
        calls: &[libc::SYS_prctl],
        forms: &[&[OneOf(
            0,
            &[
                libc::PR_SET_NAME as u64,
                libc::PR_GET_NAME as u64,
                libc::PR_GET_PDEATHSIG as u64,
                libc::PR_GET_DUMPABLE as u64,
                libc::PR_GET_NO_NEW_PRIVS as u64,
                libc::PR_SET_NO_NEW_PRIVS as u64,
                libc::PR_GET_TIMERSLACK as u64,
                libc::PR_GET_SECCOMP as u64,
                libc::PR_CAPBSET_READ as u64,
                libc::PR_SET_THP_DISABLE as u64,
                libc::PR_GET_THP_DISABLE as u64,
            ],
        )]],
    },
    Group {
        why: "memory barriers among its own threads; a barrier for all would interrupt every core",
        when: When::Always,
        calls: &[libc::SYS_membarrier],
        forms: &[&[OneOf(
            0,
            &[
                libc::MEMBARRIER_CMD_QUERY as u64,
                libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED as u64,
                libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED as u64,
                libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE as u64,
                libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE as u64,
                libc::MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ as u64,
                libc::MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ as u64,
            ],
        )]],
    },
    Group {
        why: "limits of its own, which it can only lower; not that of core dumps, because 0 would allow some dumps",
        when: When::Always,
        calls: &[libc::SYS_prlimit64],
        forms: &[
            &[OneOf(0, &[0]), Null(2)],
            &[OneOf(0, &[0]), OneOf(1, LIMITS)],
        ],
    },
    Group {
        why: "signals to itself, and what it does with them",
        when: When::Always,
        calls: &[
            libc::SYS_rt_sigaction,
            libc::SYS_rt_sigprocmask,
            libc::SYS_rt_sigreturn,
            libc::SYS_rt_sigpending,
            libc::SYS_rt_sigtimedwait,
            libc::SYS_rt_sigsuspend,
            libc::SYS_sigaltstack,
        ],
        forms: ANY,
    },
    Group {
        why: "signals, which the kernel keeps in the sandbox",
        when: When::SignalsKept,
        calls: &[
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_tgkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
            libc::SYS_pidfd_send_signal,
        ],
        forms: ANY,
    },
    Group {
        why: "signals to itself and to its own process group, where every process of the user could be reached",
        when: When::SignalsNotKept,
        calls: &[libc::SYS_kill, libc::SYS_tgkill],
        forms: &[&[Own(0)]],
    },
    Group {
        why: "time, and one timer a process, which sends SIGALRM. timerfd and signalfd can each have \
              a million watchers, whose work the kernel does while the program is stopped",
        when: When::Always,
        calls: &[
            libc::SYS_nanosleep,
            libc::SYS_clock_nanosleep,
            libc::SYS_clock_gettime,
            libc::SYS_clock_getres,
            libc::SYS_gettimeofday,
            libc::SYS_getitimer,
            libc::SYS_setitimer,
            libc::SYS_times,
        ],
        forms: ANY,
    },
    Group {
        why: "what the machine is like",
        when: When::Always,
        calls: &[
            libc::SYS_uname,
            libc::SYS_sysinfo,
            libc::SYS_getrusage,
            libc::SYS_getcpu,
            libc::SYS_getrandom,
            libc::SYS_sched_yield,
            libc::SYS_getpriority,
            libc::SYS_sched_getparam,
            libc::SYS_sched_getscheduler,
            libc::SYS_sched_get_priority_max,
            libc::SYS_sched_get_priority_min,
            libc::SYS_sched_rr_get_interval,
            libc::SYS_sched_getaffinity,
            libc::SYS_sched_getattr,
        ],
        forms: ANY,
    },
    Group {
        why: "refused rather than absent, so that a runtime goes on without: the arena decides when and where a bot runs",
        when: When::Always,
        calls: &[
            libc::SYS_sched_setaffinity,
            libc::SYS_sched_setscheduler,
            libc::SYS_sched_setparam,
            libc::SYS_sched_setattr,
            libc::SYS_setpriority,
            libc::SYS_ioprio_set,
            libc::SYS_socket,
        ],
        forms: NONE,
    },
    Group {
        why: "a pair of connected sockets between its own processes, which are streams or keep packets apart, as Rust's \
              library has them. From a pair of datagram sockets one could send anywhere",
        when: When::Always,
        calls: &[libc::SYS_socketpair],
        forms: &[&[
            OneOf(0, &[libc::AF_UNIX as u64]),
            // Allows the types 1 (stream) and 5 (packets), not 2 (datagrams) and 3 (for this family also datagrams).
            flags(libc::SOCK_STREAM | libc::SOCK_SEQPACKET, SOCKET_FLAGS),
        ]],
    },
    Group {
        why: "messages over such a pair, to no other address",
        when: When::Always,
        calls: &[libc::SYS_sendto],
        forms: &[&[Null(4)]],
    },
    Group {
        why: "the same. `sendmsg` is missing, because it can send descriptors, and all bots of a user share one limit \
              of descriptors in transit",
        when: When::Always,
        calls: &[
            libc::SYS_recvfrom,
            libc::SYS_recvmsg,
            libc::SYS_recvmmsg,
            libc::SYS_shutdown,
            libc::SYS_getsockname,
            libc::SYS_getpeername,
            libc::SYS_getsockopt,
        ],
        forms: ANY,
    },
    Group {
        why: "sizes, times and addresses of sockets. Without filters: their compiled code counts for the whole machine, \
              and when its limit is reached, no sandbox can begin",
        when: When::Always,
        calls: &[libc::SYS_setsockopt],
        forms: &[&[
            OneOf(1, &[libc::SOL_SOCKET as u64]),
            OneOf(2, SOCKET_OPTIONS),
        ]],
    },
    Group {
        why: "times, sizes and errors of connections, without packet filters and protocols in the kernel",
        when: When::Network,
        calls: &[libc::SYS_setsockopt],
        forms: &[
            &[OneOf(1, &[libc::IPPROTO_IP as u64]), OneOf(2, IP_OPTIONS)],
            &[
                OneOf(1, &[libc::IPPROTO_IPV6 as u64]),
                OneOf(2, IPV6_OPTIONS),
            ],
            &[OneOf(1, &[libc::IPPROTO_TCP as u64]), OneOf(2, TCP_OPTIONS)],
        ],
    },
    Group {
        why: "the network that a tournament file allows",
        when: When::Network,
        calls: &[libc::SYS_socket],
        forms: &[
            &[
                OneOf(0, &[libc::AF_INET as u64, libc::AF_INET6 as u64]),
                flags(libc::SOCK_STREAM | libc::SOCK_DGRAM, SOCKET_FLAGS),
            ],
            // The C library asks for the addresses of this machine in this way.
            &[
                OneOf(0, &[libc::AF_NETLINK as u64]),
                OneOf(2, &[libc::NETLINK_ROUTE as u64]),
            ],
        ],
    },
    Group {
        why: "the network that a tournament file allows",
        when: When::Network,
        calls: &[
            libc::SYS_sendto,
            libc::SYS_sendmsg,
            libc::SYS_sendmmsg,
            libc::SYS_connect,
            libc::SYS_bind,
            libc::SYS_listen,
            libc::SYS_accept,
            libc::SYS_accept4,
        ],
        forms: ANY,
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "older names of calls above, which programs and libraries still use",
        when: When::Always,
        calls: &[
            libc::SYS_stat,
            libc::SYS_lstat,
            libc::SYS_access,
            libc::SYS_readlink,
            libc::SYS_getdents,
            libc::SYS_rmdir,
            libc::SYS_rename,
            libc::SYS_link,
            libc::SYS_unlink,
            libc::SYS_symlink,
            libc::SYS_pipe,
            libc::SYS_dup2,
            libc::SYS_poll,
            libc::SYS_select,
            libc::SYS_epoll_create,
            libc::SYS_epoll_wait,
            libc::SYS_eventfd,
            libc::SYS_pause,
            libc::SYS_alarm,
            libc::SYS_fork,
            libc::SYS_vfork,
            libc::SYS_getrlimit,
            libc::SYS_getpgrp,
            libc::SYS_time,
            libc::SYS_arch_prctl,
        ],
        forms: ANY,
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "its limits by the older name",
        when: When::Always,
        calls: &[libc::SYS_setrlimit],
        forms: &[&[OneOf(0, LIMITS)]],
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "the same by the older name",
        when: When::Always,
        calls: &[libc::SYS_open],
        forms: &[&[Bits(1, OPENING)], &[Bits(2, PERMISSIONS)]],
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "older names for new files and folders",
        when: When::Always,
        calls: &[libc::SYS_creat, libc::SYS_mkdir],
        forms: &[&[Bits(1, PERMISSIONS)]],
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "the older name for permissions",
        when: When::Builds,
        calls: &[libc::SYS_chmod],
        forms: &[&[Bits(1, PERMISSIONS)]],
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        why: "older names of the same",
        when: When::Builds,
        calls: &[
            libc::SYS_chown,
            libc::SYS_lchown,
            libc::SYS_utime,
            libc::SYS_utimes,
            libc::SYS_futimesat,
        ],
        forms: ANY,
    },
];
