#include "engines/usi/process_seccomp_linux.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <utility>

namespace fuhyo::usi {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArch = AUDIT_ARCH_AARCH64;
#else
#error "the numbers of system calls are known for x86-64 and aarch64"
#endif

// Calls that came after the headers of the oldest system that this is built on; the same on every machine.
constexpr std::uint32_t kFchmodat2 = 452, kSetxattrat = 463, kRemovexattrat = 466, kOpenTreeAttr = 467;
constexpr int kMemfdSecret = 447;
constexpr std::uint32_t kX32 = 0x4000'0000;
constexpr std::uint32_t kUnshareDescriptors = 2;  // of close_range()

constexpr std::uint32_t kNewNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// The network: an engine has its standard streams.
constexpr std::array kNetwork = {SYS_socket, SYS_connect, SYS_bind,    SYS_listen,
                                 SYS_accept, SYS_accept4, SYS_sendmsg, SYS_sendmmsg};

// Other processes: their memory, their descriptors, their scheduling; and a session of its own to hide in.
constexpr std::array kProcesses = {SYS_ptrace,
                                   SYS_process_vm_readv,
                                   SYS_process_vm_writev,
                                   SYS_process_madvise,
                                   SYS_process_mrelease,
                                   SYS_pidfd_open,
                                   SYS_pidfd_getfd,
                                   SYS_pidfd_send_signal,
                                   SYS_kcmp,
                                   SYS_setsid,
                                   SYS_setpgid,
                                   SYS_setpriority,
                                   SYS_ioprio_set,
                                   SYS_sched_setscheduler,
                                   SYS_sched_setparam,
                                   SYS_sched_setattr,
                                   SYS_migrate_pages,
                                   SYS_move_pages,
                                   SYS_unshare,
                                   SYS_setns};

// Large interfaces of the kernel: no engine needs them, and many holes were in them.
constexpr std::array kKernel = {SYS_mount,
                                SYS_umount2,
                                SYS_pivot_root,
                                SYS_chroot,
                                SYS_move_mount,
                                SYS_open_tree,
                                SYS_fsopen,
                                SYS_fsconfig,
                                SYS_fsmount,
                                SYS_fspick,
                                SYS_mount_setattr,
                                SYS_bpf,
                                SYS_keyctl,
                                SYS_add_key,
                                SYS_request_key,
                                SYS_perf_event_open,
                                SYS_kexec_load,
                                SYS_kexec_file_load,
                                SYS_init_module,
                                SYS_finit_module,
                                SYS_delete_module,
                                SYS_userfaultfd,
                                SYS_reboot,
                                SYS_swapon,
                                SYS_swapoff,
                                SYS_acct,
                                SYS_syslog,
                                SYS_settimeofday,
                                SYS_clock_settime,
                                SYS_clock_adjtime,
                                SYS_adjtimex,
                                SYS_sethostname,
                                SYS_setdomainname,
                                SYS_quotactl,
                                SYS_quotactl_fd,
                                SYS_name_to_handle_at,
                                SYS_open_by_handle_at,
                                SYS_fanotify_init,
                                SYS_vhangup,
                                SYS_personality};

// What Landlock does not know of: who owns a file and what it is marked with; memory that outlives its process; who
// creates, opens and writes files.
constexpr std::array kFiles = {
    SYS_fchmod,    SYS_fchmodat,  SYS_fchown,      SYS_fchownat,      SYS_utimensat,        SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,  SYS_fremovexattr,     SYS_shmget,
    SYS_msgget,    SYS_semget,    SYS_mq_open,     SYS_inotify_init1, SYS_inotify_add_watch};

// Memory that no process's count shows: files without a name, and pages that a pipe holds.
constexpr std::array kUncounted = {SYS_memfd_create, kMemfdSecret, SYS_vmsplice, SYS_splice, SYS_tee, SYS_sendfile};

#if defined(__x86_64__)
constexpr std::array kOfThisMachine = {SYS_chmod,     SYS_chown, SYS_lchown, SYS_utime,      SYS_utimes,
                                       SYS_futimesat, SYS_iopl,  SYS_ioperm, SYS_modify_ldt, SYS_inotify_init};
#else
constexpr std::array<long, 0> kOfThisMachine = {};
#endif

class Program {
 public:
  void instruction(std::uint16_t code, std::uint32_t k, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    code_.push_back({.code = code, .jt = if_true, .jf = if_false, .k = k});
  }
  void load(std::size_t offset) { instruction(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  void answer(std::uint32_t action) { instruction(BPF_RET | BPF_K, action); }

  void refuse(long call, std::uint32_t error = EPERM) {
    instruction(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
    answer(SECCOMP_RET_ERRNO | error);
  }
  template <class Calls>
  void refuse_all(const Calls& calls) {
    for (const long call : calls) refuse(call);
  }
  // Unless its n-th argument (its lower half) is one of two values.
  void refuse_unless(long call, unsigned n, std::uint32_t one, std::uint32_t other) {
    refuse_others(call, n, one, other);
    load(offsetof(seccomp_data, nr));
  }
  // As if it had been done, if its n-th argument is one of two values; refused otherwise.
  void pretend(long call, unsigned n, std::uint32_t one, std::uint32_t other) {
    refuse_others(call, n, one, other);
    answer(SECCOMP_RET_ERRNO | 0);
  }
  // If its n-th argument is this value.
  void refuse_if(long call, unsigned n, std::uint32_t value) { refuse_where(call, n, BPF_JEQ, value); }
  // If its n-th argument has any of these bits.
  void refuse_bits(long call, unsigned n, std::uint32_t bits) { refuse_where(call, n, BPF_JSET, bits); }
  // If of these bits, its n-th argument has just those.
  void refuse_masked(long call, unsigned n, std::uint32_t bits, std::uint32_t those) {
    instruction(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 5);
    load(argument(n));
    instruction(BPF_ALU | BPF_AND | BPF_K, bits);
    instruction(BPF_JMP | BPF_JEQ | BPF_K, those, 0, 1);
    answer(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
  }

  std::vector<sock_filter> take() { return std::move(code_); }

 private:
  // Both machines are little-endian: the lower half comes first.
  static std::size_t argument(unsigned n) { return offsetof(seccomp_data, args) + n * sizeof(std::uint64_t); }
  // Unless its n-th argument is one of two values. Then, one more instruction belongs to the call: it goes on there.
  void refuse_others(long call, unsigned n, std::uint32_t one, std::uint32_t other) {
    instruction(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 5);
    load(argument(n));
    instruction(BPF_JMP | BPF_JEQ | BPF_K, one, 2, 0);
    instruction(BPF_JMP | BPF_JEQ | BPF_K, other, 1, 0);
    answer(SECCOMP_RET_ERRNO | EPERM);
  }
  void refuse_where(long call, unsigned n, std::uint16_t comparison, std::uint32_t value) {
    instruction(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4);
    load(argument(n));
    instruction(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, 1);
    answer(SECCOMP_RET_ERRNO | EPERM);
    load(offsetof(seccomp_data, nr));
  }

  std::vector<sock_filter> code_;
};

void only_this_machines_calls(Program& program) {
  program.load(offsetof(seccomp_data, arch));
  program.instruction(BPF_JMP | BPF_JEQ | BPF_K, kArch, 1, 0);
  program.answer(SECCOMP_RET_KILL_PROCESS);
  program.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  program.instruction(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1);
  program.answer(SECCOMP_RET_KILL_PROCESS);
#endif
}

void keep_signals_at_home(Program& program) {
  program.refuse_unless(SYS_kill, 0, kOwnPid, 0);  // 0: its own group
  for (const long call : {SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
    program.refuse_unless(call, 0, kOwnPid, kOwnPid);
  }
  program.refuse(SYS_tkill);
}

// What is left must be found by who counts an engine's memory (process_tree_linux.h).
void leave_no_memory_uncounted(Program& program) {
  program.refuse_all(kUncounted);
  // Shared memory stays when its pages are given up; huge pages are of a pool that others count on. (Asking for huge
  // pages by madvise() is what engines do, and it is memory like any other.)
  program.refuse_masked(SYS_mmap, 3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS);
  program.refuse_bits(SYS_mmap, 3, MAP_HUGETLB);
  program.refuse_if(SYS_fcntl, 1, F_SETPIPE_SZ);
  // Pipes and sockets are counted by a process's descriptors: all of its threads have the same, and they can be seen.
  program.refuse_bits(SYS_close_range, 2, kUnshareDescriptors);
  program.refuse_masked(SYS_clone, 0, CLONE_THREAD | CLONE_FILES, CLONE_THREAD);
  program.refuse_if(SYS_prctl, 0, PR_SET_DUMPABLE);
  program.refuse_if(SYS_prctl, 0, PR_SET_CHILD_SUBREAPER);
}

void leave_files_unwatched(Program& program) {
  program.refuse_if(SYS_fcntl, 1, F_NOTIFY);
  program.refuse_if(SYS_fcntl, 1, F_SETLEASE);
}

}  // namespace

std::vector<sock_filter> seccomp_program(const RefusedCalls& refused) {
  Program program;
  only_this_machines_calls(program);
  program.refuse_all(kNetwork);
  program.refuse_all(kProcesses);
  program.refuse_all(kKernel);
  program.refuse_all(kFiles);
  program.refuse_all(kOfThisMachine);
  for (const std::uint32_t call : {kFchmodat2, kSetxattrat, kRemovexattrat, kOpenTreeAttr}) program.refuse(call);
  // Rings of requests are carried out behind the filter's back.
  for (const long call : {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register}) program.refuse(call);
  // The flags of clone3 lie in memory, where a filter does not see them; libraries fall back to clone.
  program.refuse(SYS_clone3, ENOSYS);
  program.refuse_bits(SYS_clone, 0, kNewNamespaces);
  program.refuse_unless(SYS_prlimit64, 0, 0, kOwnPid);
  // Its cores are given to it; engines that bind themselves give up where that fails.
  program.pretend(SYS_sched_setaffinity, 0, kOwnPid, 0);
  program.refuse_if(SYS_prctl, 0, PR_SET_PDEATHSIG);  // it dies with the server
  program.refuse_if(SYS_kill, 0, ~0U);                // everybody
  leave_no_memory_uncounted(program);
  leave_files_unwatched(program);
  if (!refused.alone) keep_signals_at_home(program);
  program.answer(SECCOMP_RET_ALLOW);
  return program.take();
}

}  // namespace fuhyo::usi
