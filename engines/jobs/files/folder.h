// The file operations of a queue. Each is atomic, also on network file systems. An error is a sentence. A hook is
// called before each operation, so that tests can inject faults. Any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace fuhyo::jobs {

template <class T>
using FileResult = std::expected<T, std::string>;

enum class Fate : std::uint8_t {
  done,
  refused,      // fails (a full disk)
  answer_lost,  // done twice, as by an NFS client that got no answer: the second time fails ("the name is taken")
};
using FileHook = std::function<Fate(std::string_view operation, const std::filesystem::path& path)>;

class Folder {
 public:
  using Path = std::filesystem::path;
  // `durable`: what is written with sync, and names, survive a power cut.
  Folder(bool durable, FileHook hook) : durable_(durable), hook_(std::move(hook)) {}

  FileResult<void> make(const Path& folder) const;  // with those above it
  FileResult<void> write(const Path& path, std::string_view bytes, bool sync) const;
  // A second name for a file. False: the name is taken, by another file.
  FileResult<bool> link(const Path& from, const Path& to) const;
  // Replaces what there is.
  FileResult<void> move(const Path& from, const Path& to) const;
  // False: there is such a folder.
  FileResult<bool> move_folder(const Path& from, const Path& to) const;
  FileResult<void> remove(const Path& path) const;  // of a folder: everything; of nothing: nothing
  FileResult<bool> touch(const Path& path) const;   // changes its time; false: there is no such file
  FileResult<void> sync(const Path& folder) const;

  FileResult<bool> exists(const Path& path) const;
  FileResult<std::optional<std::string>> read(const Path& path) const;   // nothing: there is none
  FileResult<std::optional<std::int64_t>> time(const Path& path) const;  // to be compared for equality, and for age
  FileResult<std::optional<std::vector<std::string>>> names(const Path& folder) const;  // in no order

 private:
  template <class Do>
  std::error_code run(std::string_view operation, const Path& path, const Do& action) const;

  bool durable_;
  FileHook hook_;
};

}  // namespace fuhyo::jobs
