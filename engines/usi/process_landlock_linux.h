// Landlock by its system calls: a ruleset is made of folders, and a process that has restricted itself by one reaches
// no other file. Linux only; what the kernel lacks is left out.
#pragma once

#include <expected>
#include <span>
#include <string>

namespace fuhyo::usi::landlock {

// 0: the kernel has none.
int version();

enum class Access : unsigned char { read, read_or_write_device, write };

// A descriptor, close-on-exec. From here on nothing may be done with files, TCP, other processes' abstract sockets and
// signals to the outside but what is allowed below.
std::expected<int, std::string> make_ruleset();
// What does not exist is left out.
void allow(int ruleset, const std::string& path, Access access);
// Async-signal-safe; 0 or errno.
int allow_reading_own_proc(int ruleset) noexcept;
int restrict_self(int ruleset) noexcept;

}  // namespace fuhyo::usi::landlock
