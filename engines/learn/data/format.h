// The formats of training data, and the losses of conversions between them. Pure values; one thread at a time per
// object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::learn {

enum class DataFormat : std::uint8_t {
  games,  // our own (game_file.h)
  psv,    // YaneuraOu's PackedSfenValue: positions of 40 bytes
  hcpe,   // Apery's, dlshogi's, cshogi's: positions of 38 bytes
  hcpe3,  // dlshogi's games
  hcpe2,  // hcpe with more of the result
  hcp,    // positions of 32 bytes and nothing else
  csa,    // records, several in a file
  usi,    // lines of moves
  kif,    // KIF and KI2, a record a file
  jkf,    // JSON, a record a file
};

// "games", "psv", "hcpe", "hcpe3", "hcpe2", "hcp", "csa", "usi", "kif", "jkf".
std::string_view to_string(DataFormat format);
std::optional<DataFormat> format_by_name(std::string_view name);
// By the ending of its name: .games, .psv or .bin, .hcpe, .hcpe2, .hcpe3, .hcp, .csa, .usi or .sfen, .kif (.kifu, .ki2,
// .ki2u), .jkf. Records may be compressed (.csa.xz); an archive (.7z, .zip, .tar...) that says nothing else holds CSA.
std::optional<DataFormat> format_of(const std::filesystem::path& file);
// Records are text, may be compressed, and one bad game does not end the file.
constexpr bool is_record(DataFormat format) { return format >= DataFormat::csa; }
// All of the names, and "which format?" with them.
std::vector<std::string> format_names();
std::string which_format(const std::filesystem::path& file, std::string_view flag);

// Counts what a conversion could not keep, by kind.
class ConversionLosses {
 public:
  void add(std::string_view what, std::uint64_t count = 1) {
    if (count > 0) counts_[std::string(what)] += count;
  }
  bool none() const { return counts_.empty(); }
  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

// Games that could not be read and were skipped: their number, and the first reasons.
class LeftOut {
 public:
  static constexpr std::size_t kTold = 10;

  void add(std::string why) {
    if (++count_ <= kTold) told_.push_back(std::move(why));
  }
  std::uint64_t count() const { return count_; }
  const std::vector<std::string>& told() const { return told_; }

 private:
  std::uint64_t count_ = 0;
  std::vector<std::string> told_;
};

}  // namespace fuhyo::learn
