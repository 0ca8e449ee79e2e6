#include "server/app/convert/inputs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <vector>

#include "engines/learn/data/text_file.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = std::size_t{64} << 20U;  // bytes of a file of records, unpacked

template <std::size_t N>
bool is_one_of(const fs::path& ending, const std::array<std::string_view, N>& endings) {
  return std::ranges::find(endings, ending.string()) != endings.end();
}

fs::path without_packing(fs::path name) {
  constexpr std::array<std::string_view, 4> kPacked = {".gz", ".xz", ".bz2", ".zst"};
  if (is_one_of(name.extension(), kPacked)) name.replace_extension();
  return name;
}

bool is_record(const fs::path& name) { return record_format_of(without_packing(name)).has_value(); }

bool is_archive(const fs::path& name) {
  constexpr std::array<std::string_view, 5> kArchives = {".zip", ".7z", ".tar", ".tgz", ".txz"};
  return is_one_of(without_packing(name).extension(), kArchives);
}

// Without endings, and without what would lead out of a folder.
fs::path place_of(const fs::path& name) {
  fs::path place;
  for (const fs::path& part : name.relative_path()) {
    if (part != ".." && part != ".") place /= part;
  }
  place = without_packing(place);
  if (record_format_of(place)) place.replace_extension();
  return place;
}

void read_entry(learn::TextEntries& entries, RecordInput input, const InputTakers& takers) {
  for (;;) {
    const auto block = entries.read();
    if (!block) return takers.fault(block.error());
    if (block->empty()) return takers.take(input);
    input.bytes += *block;
    if (input.bytes.size() > kLongest) {
      return takers.fault(fmt::format("{}: is longer than {} MiB", input.name, kLongest >> 20U));
    }
  }
}

// `place`: where the file stands below the folder that was named.
void read_file(const fs::path& file, const fs::path& place, const InputTakers& takers) {
  auto entries = learn::TextEntries::open(file);
  if (!entries) return takers.fault(entries.error());
  bool any = false;
  for (;;) {
    const auto more = entries->next();
    if (!more) return takers.fault(more.error());
    if (!*more) break;
    const std::string& name = entries->name();
    const bool in_archive = name.size() > file.string().size();
    const fs::path entry = in_archive ? fs::path(name.substr(file.string().size() + 1)) : fs::path();
    if (in_archive && !is_record(entry)) continue;
    any = true;
    read_entry(*entries, {name, in_archive ? place.parent_path() / place_of(entry) : place_of(place), ""}, takers);
  }
  if (!any) takers.fault(file.string() + ": no record in it");
}

void read_folder(const fs::path& folder, const InputTakers& takers) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (it->is_regular_file(unknown) && (is_record(it->path()) || is_archive(it->path()))) files.push_back(it->path());
  }
  if (error) takers.fault(fmt::format("{}: {}", folder.string(), error.message()));
  if (!error && files.empty()) takers.fault(folder.string() + ": no record in it");
  std::ranges::sort(files);
  for (const fs::path& file : files) read_file(file, file.lexically_relative(folder), takers);
}

}  // namespace

std::optional<record::RecordFormat> record_format_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension.empty() ? std::nullopt : record::format_by_extension(extension.substr(1));
}

void each_input(std::span<const std::string> names, const InputTakers& takers) {
  for (const std::string& name : names) {
    std::error_code error;
    if (name == "-") {
      takers.take({"standard input", "record", {std::istreambuf_iterator<char>(std::cin), {}}});
    } else if (fs::is_directory(name, error)) {
      read_folder(name, takers);
    } else if (!fs::exists(name, error)) {
      takers.fault(name + ": there is no such file");
    } else {
      read_file(name, fs::path(name).filename(), takers);
    }
  }
}

}  // namespace fuhyo::app
