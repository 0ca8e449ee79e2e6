// The formats of training data, and what is lost between them. Pure values; one thread at a time per object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fuhyo::learn {

enum class DataFormat : std::uint8_t {
  games,  // our own (game_file.h)
  psv,    // YaneuraOu's PackedSfenValue: positions of 40 bytes
  hcpe,   // Apery's, dlshogi's, cshogi's: positions of 38 bytes
  hcpe3,  // dlshogi's games
};

// "games", "psv", "hcpe", "hcpe3".
std::string_view to_string(DataFormat format);
std::optional<DataFormat> format_by_name(std::string_view name);
// By the ending of its name: .games, .psv or .bin, .hcpe, .hcpe3.
std::optional<DataFormat> format_of(const std::filesystem::path& file);

// What a conversion could not keep: how often, of what.
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

}  // namespace fuhyo::learn
