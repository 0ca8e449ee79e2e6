#include "server/app/serve/wire_log.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "engines/record/counted.h"
#include "server/app/text.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kMaxBeforeLogin = 8 * 1024;
constexpr std::size_t kEntryOverhead = 64;  // counted for each queued entry beside its text

// "LOGIN:<name> OK" in either mode: what makes a connection a player's.
std::string_view name_of_login(std::string_view line) {
  constexpr std::string_view head = "LOGIN:", tail = " OK";
  if (!line.starts_with(head) || !line.ends_with(tail)) return {};
  return line.substr(head.size(), line.size() - head.size() - tail.size());
}

class File {
 public:
  explicit File(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool ok() const { return fd_ >= 0; }
  std::size_t size() const {
    struct stat status{};
    return ::fstat(fd_, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
  }
  bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::write(fd_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

 private:
  int fd_;
};

}  // namespace

WireLog::WireLog(Options options, Warn warn)
    : options_(std::move(options)), warn_(std::move(warn)), thread_([this] { run(); }) {}

WireLog::~WireLog() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  filled_.notify_one();
  thread_.join();
}

// ---- the core's thread ----

void WireLog::opened(core::ConnId conn, std::string_view peer) {
  push({Entry::Kind::opened, conn, {}, std::string(peer)});
}
void WireLog::received(core::ConnId conn, std::string_view line, core::Wall at) {
  push({Entry::Kind::received, conn, at, std::string(line)});
}
void WireLog::sent(core::ConnId conn, std::string_view bytes, core::Wall at) {
  push({Entry::Kind::sent, conn, at, std::string(bytes)});
}
void WireLog::closed(core::ConnId conn) { push({Entry::Kind::closed, conn, {}, {}}); }

void WireLog::push(Entry entry) {
  {
    const std::lock_guard lock(mutex_);
    // An end is always taken: it is small, and without it a stream would stay for ever.
    if (queued_bytes_ > options_.max_queued_bytes && entry.kind != Entry::Kind::closed) {
      ++dropped_;
      return;
    }
    queued_bytes_ += entry.text.size() + kEntryOverhead;
    queue_.push_back(std::move(entry));
  }
  filled_.notify_one();
}

// ---- the writing thread ----

void WireLog::run() {
  for (bool last = false; !last;) {
    std::vector<Entry> entries;
    std::size_t dropped = 0;
    {
      std::unique_lock lock(mutex_);
      filled_.wait(lock, [this] { return stop_ || !queue_.empty(); });
      last = stop_;
      entries.swap(queue_);
      queued_bytes_ = 0;
      dropped = std::exchange(dropped_, 0);
    }
    write(entries, dropped);
  }
}

void WireLog::write(const std::vector<Entry>& entries, std::size_t dropped) {
  std::map<std::string, std::string> by_player;
  for (const Entry& entry : entries) digest(entry, by_player);
  for (auto& [player, text] : by_player) {
    if (dropped > 0) text += "-- lines left out: the disk is too slow\n";
    append(player, text);
  }
  if (dropped > 0) warn_(fmt::format("wire log: {} left out, the disk is too slow", record::counted(dropped, "line")));
}

void WireLog::digest(const Entry& entry, std::map<std::string, std::string>& by_player) {
  if (entry.kind == Entry::Kind::closed) {
    const auto it = streams_.find(entry.conn);
    if (it == streams_.end()) return;
    if (!it->second.name.empty()) by_player[it->second.name] += "-- closed\n";
    streams_.erase(it);
    return;
  }
  Stream& stream = streams_[entry.conn];
  if (entry.kind == Entry::Kind::opened) {
    stream.before_login = fmt::format("-- connection from {}\n", escape(entry.text));
    return;
  }
  if (entry.kind == Entry::Kind::received) return line(stream, '>', entry, mask_password(entry.text), by_player);
  std::string_view rest = entry.text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    line(stream, '<', entry, rest.substr(0, end), by_player);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

void WireLog::line(Stream& stream, char direction, const Entry& entry, std::string_view text,
                   std::map<std::string, std::string>& by_player) {
  const std::string formatted = options_.like_shogi_server
                                    ? fmt::format("{} [INFO] {}: {}\n", utc(entry.at).substr(0, 19),
                                                  direction == '>' ? "IN" : "OUT", escape(text))
                                    : fmt::format("{} {} {}\n", utc(entry.at), direction, escape(text));
  if (!stream.name.empty()) {
    by_player[stream.name] += formatted;
    return;
  }
  if (stream.before_login.size() < kMaxBeforeLogin) stream.before_login += formatted;
  const std::string_view name = direction == '<' ? name_of_login(text) : std::string_view{};
  if (name.empty()) return;
  stream.name = name;
  by_player[stream.name] += std::exchange(stream.before_login, {});
}

void WireLog::append(const std::string& player, std::string_view text) {
  const auto path = options_.folder / (player + ".log");
  bool full = false, written = false;
  {
    const File file(path);
    written = file.ok() && file.write(text);
    full = file.ok() && file.size() > options_.max_bytes;
  }
  if (!written && !std::exchange(complained_, true)) {
    warn_(fmt::format("wire log: cannot write {}: {}", path.string(), std::strerror(errno)));
  }
  if (written) complained_ = false;
  std::error_code ignored;
  if (full) std::filesystem::rename(path, options_.folder / (player + ".log.1"), ignored);
}

}  // namespace fuhyo::app
