// What /proc says about a server: memory, threads, descriptors, processor time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>

namespace fuhyo::bench {

struct ServerProcess {
  std::int64_t rss_kib = 0, peak_kib = 0, threads = 0, descriptors = 0;
  double cpu_s = 0;
};

// utime and stime are the 14th and 15th fields; the second one, a name in parentheses, may hold anything.
inline double cpu_seconds(const std::string& stat) {
  std::istringstream rest(stat.substr(stat.rfind(')') + 1));
  std::string field;
  for (int i = 3; i < 14; ++i) rest >> field;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Empty for pid 0 or a process that is not there.
inline std::optional<ServerProcess> look_at(int pid) {
  if (pid == 0) return {};
  const std::string folder = fmt::format("/proc/{}", pid);
  std::ifstream status(folder + "/status");
  if (!status) return {};
  ServerProcess process;
  for (std::string key; status >> key; status.ignore(1'000, '\n')) {
    if (key == "VmRSS:") status >> process.rss_kib;
    if (key == "VmHWM:") status >> process.peak_kib;
    if (key == "Threads:") status >> process.threads;
  }
  std::ifstream stat(folder + "/stat");
  process.cpu_s = cpu_seconds({std::istreambuf_iterator<char>(stat), {}});
  std::error_code denied;
  for (std::filesystem::directory_iterator entry(folder + "/fd", denied), end; !denied && entry != end;
       entry.increment(denied)) {
    ++process.descriptors;
  }
  return process;
}

}  // namespace fuhyo::bench
