// The files of the pages (web/): embedded in the program, or those of a folder. A fixed table: no path of a request
// ever reaches a file system. Immutable once made; any thread.
#pragma once

#include <deque>
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace fuhyo::net {

struct Asset {
  std::string_view content_type;
  std::string_view etag;   // in its quotes
  bool immutable = false;  // cacheable for ever: its name changes with its content
  std::string_view plain;
  std::string_view gzip, brotli;  // empty: not worth it
};

class Assets {
 public:
  // Moved, never copied: views of a copy would show what the first one keeps.
  Assets(Assets&&) = default;
  Assets& operator=(Assets&&) = default;

  // What the program was built with.
  static Assets embedded();
  // Every file of the folder as it is now; "x.gz" and "x.br" are "x" compressed. An error: it cannot be read, or has no
  // index.html.
  static std::expected<Assets, std::string> of_folder(const std::filesystem::path& folder);

  // The page at this path is the one at "/" from now on; false: there is none.
  bool begin_with(std::string_view page);

  // "/assets/index-1a2b.js"; "/" is index.html, "/docs" is docs.html. Null: there is none.
  const Asset* find(std::string_view path) const;
  const std::map<std::string, Asset, std::less<>>& all() const { return assets_; }

 private:
  Assets() = default;
  void add(std::string_view name, std::string_view bytes);

  std::deque<std::string> kept_;  // what the views show, where it is not embedded
  std::map<std::string, Asset, std::less<>> assets_;
};

}  // namespace fuhyo::net
