// A `fuhyo serve` of one test's own: free ports, a temporary folder, stopped by its pid.
#pragma once

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <signal.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "tests/support/patience.h"
#include "tests/support/tcp_client.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::test {

class RunningServer {
 public:
  // Starts the program with these flags beside the folder's and waits until it listens (or has ended).
  explicit RunningServer(const std::filesystem::path& folder, std::vector<std::string> flags = {}) : folder_(folder) {
    std::vector<std::string> words = {FUHYO_PROGRAM, "serve",       "--csa",  "127.0.0.1:0",
                                      "--http",      "127.0.0.1:0", "--data", (folder / "data").string()};
    words.insert(words.end(), flags.begin(), flags.end());
    spawn(words);
    eventually([this] { return !running() || !http().empty(); });
  }
  ~RunningServer() {
    if (running()) stop(SIGKILL);
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  std::string csa() const { return listed("listening csa="); }
  std::string http() const { return listed("listening http="); }
  std::string out() const { return read_file(folder_ / "out"); }
  std::string log() const { return read_file(folder_ / "err"); }

  bool running() {
    if (status_) return false;
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return !status_;
  }
  void signal(int number) const { ::kill(pid_, number); }
  bool logs(const std::string& text) const {
    return eventually([&] { return log().contains(text); });
  }
  // Waits for the end; the exit code, or minus the signal that ended it, or -1000 if it did not end.
  int wait() {
    if (!eventually([this] { return !running(); })) return -1000;
    return WIFEXITED(*status_) ? WEXITSTATUS(*status_) : -WTERMSIG(*status_);
  }
  int stop(int number = SIGTERM) {
    signal(number);
    return wait();
  }

 private:
  void spawn(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = (folder_ / "out").string(), err = (folder_ / "err").string();
    std::filesystem::remove(out);  // of a former run: its ports are stale
    pid_ = ::fork();
    if (pid_ != 0) return;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    ::dup2(::open(out.c_str(), flags, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), flags, 0600), STDERR_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  std::string listed(const std::string& head) const {
    const std::string text = out();
    const std::size_t at = text.find(head);
    const std::size_t end = at == std::string::npos ? at : text.find('\n', at);
    return end == std::string::npos ? "" : text.substr(at + head.size(), end - at - head.size());
  }

  std::filesystem::path folder_;
  pid_t pid_ = -1;
  std::optional<int> status_;
};

// Both agree to the game that they have been told, and it has begun.
inline void agree(TcpClient& black, TcpClient& white) {
  black.send("AGREE\n");
  white.send("AGREE\n");
  for (TcpClient* player : {&black, &white}) {
    player->until("START:");
    player->line();
  }
}

// A game of alice, whose lines end in CR LF, and bob has begun.
inline void start_game(TcpClient& black, TcpClient& white) {
  black.send("LOGIN alice cup-3000-10-B,secret1\r\n");
  white.send("LOGIN bob cup-3000-10-W,secret2\n");
  black.until("END Game_Summary\n");
  white.until("END Game_Summary\n");
  agree(black, white);
}

}  // namespace fuhyo::test
