#include "engines/cluster/mpi/ranks.h"

#include <charconv>
#include <condition_variable>
#include <utility>
#include <vector>

#include "engines/cluster/cluster_file.h"

namespace fuhyo::cluster::mpi {
namespace {

// The limits, the folder and the words of a command in one text: no argument contains its separator.
constexpr char kBetween = '\0';

std::string to_text(const usi::ChildProcess::Options& options) {
  std::string text = std::to_string(options.line_limit) + kBetween + std::to_string(options.bytes_per_second);
  text += kBetween + options.working_dir;
  for (std::size_t i = 2; i < options.command.size(); ++i) text += kBetween + options.command[i];
  return text;
}

usi::ChildProcess::Options from_text(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) c == kBetween ? void(words.emplace_back()) : words.back().push_back(c);
  return {.command = {words.begin() + 3, words.end()},
          .working_dir = words[2],
          .line_limit = std::stoull(words[0]),
          .bytes_per_second = std::stoull(words[1])};
}

}  // namespace

// ---- rank 0 ----

class Ranks::Process final : public usi::ChildProcess {
 public:
  Process(Ranks& ranks, int rank, int number, Events events)
      : ranks_(ranks), rank_(rank), number_(number), events_(std::move(events)) {}
  ~Process() override {
    kill();
    std::unique_lock lock(ranks_.mutex_);
    changed_.wait(lock, [this] { return closed_; });
    ranks_.processes_.erase(number_);
  }
  bool write_line(std::string_view line) override { return tell(Kind::line, std::string(line)); }
  void kill() override { tell(Kind::kill); }
  void bind(const std::vector<int>& /*cores*/) override {}  // they are those of another machine
  void close_input() override { tell(Kind::close_input); }

  bool tell(Kind kind, std::string text = {}) {
    ranks_.wire_.post({.rank = rank_, .process = number_, .kind = kind, .text = std::move(text)});
    return true;
  }
  void take(const Message& message) {
    if (message.kind == Kind::line) return events_.line(message.text);
    events_.closed(message.text);
    const std::lock_guard lock(ranks_.mutex_);  // after it this object may be gone
    closed_ = true;
    changed_.notify_all();
  }

 private:
  Ranks& ranks_;
  const int rank_, number_;
  const Events events_;
  std::condition_variable changed_;
  bool closed_ = false;
};

std::expected<std::unique_ptr<usi::ChildProcess>, std::string> Ranks::spawn(const usi::ChildProcess::Options& options,
                                                                            usi::ChildProcess::Events events) {
  if (options.command.front() != kRank) return usi::ChildProcess::spawn(options, std::move(events));
  int rank = 0;
  const std::string word = options.command.size() > 2 ? options.command[1] : "";
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), rank);
  if (error != std::errc{} || end != word.data() + word.size() || rank < 1 || rank > count_) {
    return std::unexpected("rank: a number from 1 to " + std::to_string(count_) + " and a command are expected");
  }
  std::unique_ptr<Process> process;
  {
    const std::lock_guard lock(mutex_);
    process = std::make_unique<Process>(*this, rank, ++last_, std::move(events));
    processes_[last_] = process.get();
  }
  process->tell(Kind::start, to_text(options));
  return process;
}

void Ranks::take(const Message& message) {
  Process* process = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = processes_.find(message.process);
    if (found != processes_.end()) process = found->second;
  }
  if (process != nullptr) process->take(message);
}

void Ranks::quit() {
  for (int rank = 1; rank <= count_; ++rank) wire_.post({.rank = rank, .kind = Kind::quit});
}

// ---- the other ranks ----

void serve(const std::string& beside) {
  Wire wire;
  std::map<int, std::unique_ptr<usi::ChildProcess>> processes;
  const auto start = [&](const Message& asked) {
    const auto tell = [&wire, number = asked.process](Kind kind, const std::string& text) {
      wire.post({.rank = 0, .process = number, .kind = kind, .text = text});
    };
    usi::ChildProcess::Options options = from_text(asked.text);
    members::look_beside(options.command, beside);
    auto spawned = usi::ChildProcess::spawn(options, {.line = [tell](const auto& line) { tell(Kind::line, line); },
                                                      .closed = [tell](const auto& why) { tell(Kind::closed, why); }});
    if (!spawned) return tell(Kind::closed, spawned.error());
    processes[asked.process] = std::move(*spawned);
  };
  wire.run([&](const Message& asked) {
    if (asked.kind == Kind::start) return start(asked);
    if (asked.kind == Kind::quit) return processes.clear(), wire.close();
    const auto found = processes.find(asked.process);
    if (found == processes.end()) return;
    if (asked.kind == Kind::line) found->second->write_line(asked.text);
    if (asked.kind == Kind::close_input) found->second->close_input();
    if (asked.kind == Kind::kill) processes.erase(found);
  });
}

}  // namespace fuhyo::cluster::mpi
