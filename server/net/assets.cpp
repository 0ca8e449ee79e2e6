#include "server/net/assets.h"

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <openssl/sha.h>
#include <utility>

#include "server/net/embedded_files.h"

namespace fuhyo::net {
namespace {

namespace fs = std::filesystem;

std::string_view content_type_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTypes = {{
      {".html", "text/html; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".json", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".webp", "image/webp"},
      {".ico", "image/x-icon"},
      {".woff2", "font/woff2"},
      {".txt", "text/plain; charset=utf-8"},
      {".webmanifest", "application/manifest+json"},
  }};
  for (const auto& [end, type] : kTypes) {
    if (name.ends_with(end)) return type;
  }
  return "application/octet-stream";
}

std::string etag_of(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::string etag = "\"";
  for (std::size_t i = 0; i < 8; ++i) etag += fmt::format("{:02x}", digest.at(i));
  return etag + '"';
}

// A page is at its name without ".html", index.html at "/".
std::string path_of(std::string_view name) {
  if (name == "index.html") return "/";
  constexpr std::string_view kPage = ".html";
  return fmt::format("/{}", name.ends_with(kPage) ? name.substr(0, name.size() - kPage.size()) : name);
}

}  // namespace

void Assets::add(std::string_view name, std::string_view bytes) {
  const auto compressed = [&](std::string_view end, std::string_view Asset::* member) {
    if (!name.ends_with(end)) return false;
    assets_[path_of(name.substr(0, name.size() - end.size()))].*member = bytes;
    return true;
  };
  if (compressed(".gz", &Asset::gzip) || compressed(".br", &Asset::brotli)) return;
  Asset& asset = assets_[path_of(name)];
  asset.content_type = content_type_of(name);
  asset.etag = kept_.emplace_back(etag_of(bytes));
  asset.immutable = name.starts_with("assets/");  // where the build puts what has a hash in its name
  asset.plain = bytes;
}

Assets Assets::embedded() {
  Assets assets;
  for (const EmbeddedFile& file : embedded_files()) assets.add(file.name, file.bytes);
  return assets;
}

std::expected<Assets, std::string> Assets::of_folder(const fs::path& folder) {
  Assets assets;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (!entry->is_regular_file()) continue;
    std::ifstream file(entry->path(), std::ios::binary);
    const std::string& bytes =
        assets.kept_.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (!file) return std::unexpected(fmt::format("{}: cannot be read", entry->path().string()));
    assets.add(entry->path().lexically_relative(folder).generic_string(), bytes);
  }
  if (error) return std::unexpected(fmt::format("{}: {}", folder.string(), error.message()));
  std::erase_if(assets.assets_, [](const auto& asset) { return asset.second.content_type.empty(); });
  if (assets.find("/") == nullptr) return std::unexpected(fmt::format("{}: there is no index.html", folder.string()));
  return assets;
}

bool Assets::begin_with(std::string_view page) {
  const Asset* first = find(page);
  if (first != nullptr) assets_["/"] = *first;
  return first != nullptr;
}

const Asset* Assets::find(std::string_view path) const {
  const auto found = assets_.find(path);
  return found == assets_.end() ? nullptr : &found->second;
}

}  // namespace fuhyo::net
