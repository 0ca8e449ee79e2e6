// The architecture of a network, from a file's header and length. Pure; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "engines/nnue/net/feature_set.h"

namespace fuhyo::nnue {

// Which of an SFNN's layer stacks a position goes through: by the zones of both kings, as their owners see them.
enum class KingZones : std::uint8_t { one, k3, k9, k9z, k13z, k21, k29 };
std::uint32_t zone_count(KingZones zones);
// `own` is the king's square as its owner sees it (rank 1 is the far end).
std::uint32_t zone_of(KingZones zones, shogi::Square own);

struct Architecture {
  const FeatureSet* features = nullptr;
  std::uint32_t width = 0;    // of the transformer, one side
  std::uint32_t hidden1 = 0;  // of an SFNN without the shortcut
  std::uint32_t hidden2 = 0;
  bool pairwise = false;  // an SFNN: halves of the transformer's output are multiplied
  bool shortcut = false;
  KingZones zones = KingZones::one;

  std::uint32_t stacks() const { return zone_count(zones) * zone_count(zones); }
  std::uint32_t first_inputs() const { return pairwise ? width : 2 * width; }
  std::uint32_t first_outputs() const { return hidden1 + (shortcut ? 1 : 0); }
  std::uint32_t second_inputs() const { return pairwise ? 2 * hidden1 : hidden1; }
  // "HalfKP 256x2-32-32", "SFNN HalfKA_hm2 1536-15-32 k3k3"
  std::string name() const;
  // What a file with a text of so many bytes must be long, in bytes; a classic network only.
  std::uint64_t classic_file_size(std::size_t text_size) const;
};

// From the text in a file's header. `file_size` tells apart what the text does not (HalfKPE9 from HalfKP), and finds
// the shape where the text says nothing known. An error says what was found and what is read.
std::expected<Architecture, std::string> read_architecture(std::string_view text, std::uint64_t file_size);

// As files say it: the text that belongs to a classic network.
std::string classic_text(const Architecture& architecture);

// The checksums of shapes in files: of the transformer and of the layers after it.
std::uint32_t transformer_hash(const Architecture& architecture);
std::uint32_t layers_hash(const Architecture& architecture);

}  // namespace fuhyo::nnue
