// What an engine that is not trusted may do: a value for ChildProcess::Options, and what this machine can hold it to.
// Inside, a process has its own folder and the system's libraries to read, nothing to write, no network, no sight of
// other processes, and limits. Made of Landlock, seccomp, namespaces and resource limits (process_sandbox_linux.cpp).
// Windows has none: there a process that is to be in one is not started.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fuhyo::usi {

struct Sandbox {
  // Of all its processes together: anonymous and shared memory, what the kernel keeps for them in pipes, sockets and
  // page tables, not mapped files. 0: no limit.
  std::size_t memory_bytes = 0;
  // Threads and processes, itself included.
  int tasks = 64;
  // Files and folders that it may read and run, besides the folder of its program, the files that its command names,
  // the folders of the libraries that this process has loaded, and the system's own. What does not exist is left out.
  std::vector<std::string> readable{};
  // Files and folders that it must not read, nor see: what holds one of them is not readable as a whole, even if it is
  // its own folder.
  std::vector<std::string> hidden{};
  // A folder that it may also write into; empty: none.
  std::string scratch{};
  // It may hold a network in memory with other engines (/dev/shm), which they could harm: for trusted engines.
  bool shared_memory = false;
};

struct SandboxSupport {
  int landlock = 0;         // version of its interface; 0: none
  bool seccomp = false;     // system calls can be refused
  bool namespaces = false;  // processes, network and shared memory of its own
  bool mounts = false;      // files can be taken out of its sight, with their names and sizes

  // Everything that the promises above need.
  bool whole() const { return landlock >= 3 && seccomp && namespaces && mounts; }
  // What cannot be kept from an engine here, a sentence each.
  std::vector<std::string> missing() const;
};

// Tried out once; any thread.
const SandboxSupport& sandbox_support();

// Where a process that is started in the folder `from` finds the program of its command: by a path, or in PATH. Empty:
// nowhere. On Linux.
std::filesystem::path find_program(const std::string& name, const std::filesystem::path& from);

}  // namespace fuhyo::usi
