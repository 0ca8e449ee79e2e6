#include "engines/jobs/files/folder.h"

#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

#include "engines/jobs/files/durable_file.h"

namespace fuhyo::jobs {
namespace {

namespace fs = std::filesystem;

std::unexpected<std::string> failed(std::string_view what, const fs::path& path, const std::error_code& error) {
  return std::unexpected(fmt::format("cannot {} {}: {}", what, path.string(), error.message()));
}

bool is_missing(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

FileResult<void> outcome(std::string_view what, const fs::path& path, const std::error_code& error) {
  if (error) return failed(what, path, error);
  return {};
}

std::error_code read_into(std::string& text, const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);  // a stream does not say why it did not open
  if (status.type() == fs::file_type::not_found) return std::make_error_code(std::errc::no_such_file_or_directory);
  if (error) return error;
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file) return std::make_error_code(std::errc::io_error);
  text = std::move(bytes).str();
  return {};
}

}  // namespace

template <class Do>
std::error_code Folder::run(std::string_view operation, const Path& path, const Do& action) const {
  const Fate fate = hook_ ? hook_(operation, path) : Fate::done;
  if (fate == Fate::refused) return std::make_error_code(std::errc::no_space_on_device);
  const std::error_code error = action();
  return fate == Fate::answer_lost && !error ? action() : error;
}

FileResult<void> Folder::make(const Path& folder) const {
  return outcome("create", folder, run("make", folder, [&] {
                   std::error_code error;
                   fs::create_directories(folder, error);
                   return error;
                 }));
}

FileResult<void> Folder::write(const Path& path, std::string_view bytes, bool sync) const {
  return outcome("write", path, run("write", path, [&] { return write_bytes(path, bytes, sync && durable_); }));
}

// An answer that was lost makes a client of NFS ask again, and the second answer is that the name is taken. The number
// of names of the file says what happened.
FileResult<bool> Folder::link(const Path& from, const Path& to) const {
  const std::error_code error = run("link", to, [&] {
    std::error_code linked;
    fs::create_hard_link(from, to, linked);
    return linked;
  });
  if (!error) return true;
  std::error_code ignored;
  if (fs::equivalent(from, to, ignored)) return true;
  if (error == std::errc::file_exists) return false;
  return failed("link", to, error);
}

FileResult<void> Folder::move(const Path& from, const Path& to) const {
  return outcome("rename to", to, run("move", to, [&] {
                   std::error_code error;
                   fs::rename(from, to, error);
                   return error;
                 }));
}

FileResult<bool> Folder::move_folder(const Path& from, const Path& to) const {
  const std::error_code error = run("move_folder", to, [&] {
    std::error_code moved;
    fs::rename(from, to, moved);
    return moved;
  });
  if (!error) return true;
  if (error == std::errc::directory_not_empty || error == std::errc::file_exists) return false;
  return failed("rename to", to, error);
}

FileResult<void> Folder::remove(const Path& path) const {
  return outcome("remove", path, run("remove", path, [&] {
                   std::error_code error;
                   fs::remove_all(path, error);
                   return is_missing(error) ? std::error_code() : error;
                 }));
}

// The time is ours and may be wrong: all that it has to be is another one than before.
FileResult<bool> Folder::touch(const Path& path) const {
  const std::error_code error = run("touch", path, [&] {
    std::error_code touched;
    const fs::file_time_type before = fs::last_write_time(path, touched);
    if (touched) return touched;
    fs::file_time_type now = fs::file_time_type::clock::now();
    if (now == before) now += std::chrono::milliseconds(1);
    fs::last_write_time(path, now, touched);
    return touched;
  });
  if (!error) return true;
  if (is_missing(error)) return false;
  return failed("touch", path, error);
}

FileResult<void> Folder::sync(const Path& folder) const {
  if (!durable_) return {};
  return outcome("sync", folder, run("sync", folder, [&] { return sync_names(folder); }));
}

FileResult<bool> Folder::exists(const Path& path) const {
  bool there = false;
  const std::error_code error = run("exists", path, [&] {
    std::error_code looked;
    there = fs::exists(path, looked);
    return is_missing(looked) ? std::error_code() : looked;
  });
  if (error) return failed("look for", path, error);
  return there;
}

FileResult<std::optional<std::string>> Folder::read(const Path& path) const {
  std::string text;
  const std::error_code error = run("read", path, [&] { return read_into(text, path); });
  if (is_missing(error)) return std::nullopt;
  if (error) return failed("read", path, error);
  return text;
}

FileResult<std::optional<std::int64_t>> Folder::time(const Path& path) const {
  fs::file_time_type time;
  const std::error_code error = run("time", path, [&] {
    std::error_code looked;
    time = fs::last_write_time(path, looked);
    return looked;
  });
  if (is_missing(error)) return std::nullopt;
  if (error) return failed("look at", path, error);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

FileResult<std::optional<std::vector<std::string>>> Folder::names(const Path& folder) const {
  std::vector<std::string> all;
  const std::error_code error = run("names", folder, [&] {
    std::error_code listed;
    fs::directory_iterator entry(folder, listed);
    for (; !listed && entry != fs::directory_iterator(); entry.increment(listed)) {
      all.push_back(entry->path().filename().string());
    }
    return listed;
  });
  if (is_missing(error)) return std::nullopt;
  if (error) return failed("list", folder, error);
  return all;
}

}  // namespace fuhyo::jobs
