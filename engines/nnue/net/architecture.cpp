#include "engines/nnue/net/architecture.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "engines/nnue/net/kernels.h"
#include "engines/shogi/number.h"

namespace fuhyo::nnue {
namespace {

using Refused = std::unexpected<std::string>;

struct ZoneName {
  std::string_view name;
  KingZones zones;
  std::uint32_t count;
};
constexpr std::array<ZoneName, 7> kZones = {{{"", KingZones::one, 1},
                                             {"k3k3", KingZones::k3, 3},
                                             {"k9k9", KingZones::k9, 9},
                                             {"k9k9z", KingZones::k9z, 9},
                                             {"k13k13z", KingZones::k13z, 13},
                                             {"k21k21", KingZones::k21, 21},
                                             {"k29k29", KingZones::k29, 29}}};

constexpr std::uint32_t padded(std::uint32_t inputs) { return (inputs + 31) / 32 * 32; }

std::optional<std::uint32_t> to_number(std::string_view word) { return shogi::number_of<std::uint32_t>(word); }

// What stands between two marks, the first of which is searched from `at`, and is left behind. Empty if not found.
std::string_view between(std::string_view text, std::string_view open, std::string_view close, std::size_t& at) {
  const std::size_t begin = text.find(open, at);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find(close, begin + open.size());
  if (end == std::string_view::npos) return {};
  at = end + close.size();
  return text.substr(begin + open.size(), end - begin - open.size());
}

std::string feature_names() {
  std::string names;
  for (const FeatureSet& set : feature_sets()) names += (names.empty() ? "" : ", ") + std::string(set.name);
  return names;
}

std::expected<Architecture, std::string> checked(const Architecture& found) {
  const std::uint32_t unit = found.pairwise ? 2 * kWidthUnit : kWidthUnit;
  if (found.width == 0 || found.width % unit != 0 || found.first_inputs() > kMaxInputs) {
    return Refused(fmt::format("a transformer of width {} is not read: a multiple of {} up to {} is", found.width, unit,
                               found.pairwise ? kMaxInputs : kMaxInputs / 2));
  }
  if (found.hidden1 == 0 || found.first_outputs() > kMaxHidden || found.hidden2 == 0 || found.hidden2 > kMaxHidden) {
    return Refused(
        fmt::format("hidden layers of {} and {} are not read: 1 to {} are", found.hidden1, found.hidden2, kMaxHidden));
  }
  return found;
}

// ---- SFNN: "Network=SFNN_HALFKAHM2_1024_7_64_K3K3{LayerStack=9}", or "SFNN-1536", the first of them ----

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '_') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::expected<KingZones, std::string> read_zones(std::span<const std::string> schemes, const std::string& name) {
  KingZones zones = KingZones::one;
  for (const std::string& scheme : schemes) {
    const auto known = std::ranges::find(kZones, scheme, &ZoneName::name);
    if (known == kZones.end() || scheme.empty() || zones != KingZones::one) {
      return Refused(
          fmt::format("the layer stacks '{}' of '{}' are not read: none, k3k3, k9k9, k9k9z, k13k13z, k21k21 "
                      "and k29k29 are",
                      scheme, name));
    }
    zones = known->zones;
  }
  return zones;
}

std::expected<Architecture, std::string> read_sfnn(const FeatureSet& features, std::uint32_t width,
                                                   std::string_view text) {
  std::size_t at = 0;
  const std::string name = lower(between(text, "Network=", "{", at));
  const std::string_view stacks = between(text, "LayerStack=", "}", at);
  std::vector<std::string> parts = split(name);
  if (name == "sfnn-1536") parts = {"sfnn", "halfkahm2", "1536", "15", "32", "k3k3"};
  if (parts.size() < 5 || parts[0] != "sfnn") {
    return Refused(fmt::format("an SFNN network whose shape is not named: '{}'", name));
  }
  const auto ft = to_number(parts[2]), hidden1 = to_number(parts[3]), hidden2 = to_number(parts[4]);
  if (!ft || *ft != width || !hidden1 || !hidden2) {
    return Refused(fmt::format("an SFNN network '{}' that says width {}", name, width));
  }
  const auto zones = read_zones(std::span(parts).subspan(5), name);
  if (!zones) return Refused(zones.error());
  if (*hidden1 % 8 != 0 && *hidden1 % 8 != 7) {
    return Refused(fmt::format("an SFNN network with {} hidden values: 8n or 8n - 1 are read", *hidden1));
  }
  const Architecture found{.features = &features,
                           .width = width,
                           .hidden1 = *hidden1,
                           .hidden2 = *hidden2,
                           .pairwise = true,
                           .shortcut = *hidden1 % 8 == 7,
                           .zones = *zones};
  if (to_number(stacks) != found.stacks()) {
    return Refused(fmt::format("{} layer stacks, but '{}' has {}", stacks, name, found.stacks()));
  }
  return checked(found);
}

// ---- classic: "...Network=AffineTransform[1<-32](...AffineTransform[32<-32](...AffineTransform[32<-512](..." ----

std::expected<Architecture, std::string> read_classic(const FeatureSet& features, std::uint32_t width,
                                                      std::string_view text) {
  std::vector<std::array<std::uint32_t, 2>> layers;  // outputs, inputs; the last layer first
  std::size_t at = 0;
  while (true) {
    at = text.find("AffineTransform", at);
    if (at == std::string_view::npos) break;
    const std::string_view shape = between(text, "[", "]", at);
    const std::size_t arrow = shape.find("<-");
    if (shape.empty() || arrow == std::string_view::npos) break;
    const auto outputs = to_number(shape.substr(0, arrow)), inputs = to_number(shape.substr(arrow + 2));
    if (!outputs || !inputs) break;
    layers.push_back({*outputs, *inputs});
  }
  const bool chained = layers.size() == 3 && layers[0][0] == 1 && layers[0][1] == layers[1][0] &&
                       layers[1][1] == layers[2][0] && layers[2][1] == 2 * width;
  if (!chained) return Refused("layers other than three, of 2 x width inputs, two hidden sizes and one output");
  return checked({.features = &features, .width = width, .hidden1 = layers[1][1], .hidden2 = layers[1][0]});
}

// ---- texts that say nothing: the length of the file is that of one known shape ----

constexpr std::array<std::array<std::uint32_t, 3>, 12> kShapes = {{{256, 32, 32},
                                                                   {512, 16, 32},
                                                                   {512, 8, 64},
                                                                   {512, 8, 96},
                                                                   {512, 32, 32},
                                                                   {768, 16, 32},
                                                                   {768, 16, 64},
                                                                   {1024, 8, 32},
                                                                   {1024, 8, 64},
                                                                   {1024, 8, 96},
                                                                   {1024, 16, 32},
                                                                   {1024, 32, 32}}};

std::optional<Architecture> guess(std::size_t text_size, std::uint64_t file_size) {
  for (const FeatureSet& set : feature_sets()) {
    for (const auto& [width, hidden1, hidden2] : kShapes) {
      const Architecture shape{.features = &set, .width = width, .hidden1 = hidden1, .hidden2 = hidden2};
      if (shape.classic_file_size(text_size) == file_size) return shape;
    }
  }
  return std::nullopt;
}

std::expected<Architecture, std::string> by_length(Architecture found, std::size_t text_size, std::uint64_t file_size) {
  if (found.pairwise) {
    // Weights may be compressed, to a byte each at best.
    const std::uint64_t least = std::uint64_t{found.width} * found.features->inputs;
    if (file_size >= least) return found;
    return Refused(fmt::format("{} by its text, which is {} bytes long at least; the file has {}", found.name(), least,
                               file_size));
  }
  if (found.classic_file_size(text_size) == file_size) return found;
  if (found.features->name == "HalfKP") {
    Architecture other = found;
    other.features = find_feature_set("HalfKPE9");
    if (other.classic_file_size(text_size) == file_size) return other;
  }
  return Refused(fmt::format("{} by its text, which is {} bytes long; the file has {}", found.name(),
                             found.classic_file_size(text_size), file_size));
}

std::uint32_t affine_hash(std::uint32_t before, std::uint32_t outputs) {
  return (0xcc03dae4 + outputs) ^ (before >> 1) ^ (before << 31);
}

}  // namespace

std::uint32_t zone_count(KingZones zones) { return std::ranges::find(kZones, zones, &ZoneName::zones)->count; }

std::uint32_t zone_of(KingZones zones, shogi::Square own) {
  const std::uint32_t rank = static_cast<std::uint32_t>(own) % 9, file = static_cast<std::uint32_t>(own) / 9;
  const std::uint32_t third = rank / 3;
  switch (zones) {
    case KingZones::one:
      return 0;
    case KingZones::k3:
      return third;
    case KingZones::k9:
      return rank;
    case KingZones::k9z:  // the two home ranks by thirds of the files
      return third < 2 ? third : rank == 6 ? 2 : 3 + (rank - 7) * 3 + file / 3;
    case KingZones::k13z:
      return rank < 7 ? rank : 7 + (rank - 7) * 3 + file / 3;
    case KingZones::k21:  // every square of the two home ranks
      return third < 2 ? third : rank == 6 ? 2 : 3 + (rank - 7) * 9 + file;
    case KingZones::k29:  // ... of the three
      return third < 2 ? third : 2 + (rank - 6) * 9 + file;
  }
  return 0;
}

std::string Architecture::name() const {
  if (!pairwise) return fmt::format("{} {}x2-{}-{}", features->name, width, hidden1, hidden2);
  const std::string_view scheme = std::ranges::find(kZones, zones, &ZoneName::zones)->name;
  return fmt::format("SFNN {} {}-{}-{}{}{}", features->name, width, hidden1, hidden2, scheme.empty() ? "" : " ",
                     scheme);
}

std::uint64_t Architecture::classic_file_size(std::size_t text_size) const {
  const std::uint64_t transformer = 4 + 2 * std::uint64_t{width} * (1 + std::uint64_t{features->inputs});
  const std::uint64_t layers = 4 + hidden1 * (4 + std::uint64_t{padded(2 * width)}) +
                               hidden2 * (4 + std::uint64_t{padded(hidden1)}) + 4 + padded(hidden2);
  return 12 + text_size + transformer + layers;
}

std::expected<Architecture, std::string> read_architecture(std::string_view text, std::uint64_t file_size) {
  std::size_t at = 0;
  const std::string_view name = between(text, "Features=", "[", at);
  const std::string_view inputs = between(text, "", "->", at);
  if (name.empty() || inputs.empty()) {
    if (const auto shape = guess(text.size(), file_size)) return *shape;
    return Refused(fmt::format("a text that names no shape ('{}'), and {} bytes are no known one's length",
                               text.substr(0, 120), file_size));
  }
  const FeatureSet* features = find_feature_set(name);
  if (features == nullptr) {
    return Refused(fmt::format("the features '{}', which are not read; {} are", name, feature_names()));
  }
  const auto width = to_number(between(text, "", "x2]", at));
  const bool attacks = features->name == "HalfKP" && to_number(inputs) == find_feature_set("HalfKPE9")->inputs;
  if (attacks) features = find_feature_set("HalfKPE9");
  // HalfKPE9 may call itself so with the number of inputs that HalfKP has.
  const bool fits = to_number(inputs) == features->inputs || features->attacks;
  if (!width || !fits) {
    return Refused(fmt::format("{} with {} inputs; it has {}", features->name, inputs, features->inputs));
  }
  const bool sfnn = text.contains("ModelType=SFNN") || text.contains("LayerStack=");
  const auto found = sfnn ? read_sfnn(*features, *width, text) : read_classic(*features, *width, text);
  if (!found) return found;
  return by_length(*found, text.size(), file_size);
}

std::string classic_text(const Architecture& architecture) {
  const std::uint32_t inputs = 2 * architecture.width, hidden1 = architecture.hidden1, hidden2 = architecture.hidden2;
  const FeatureSet& set = *architecture.features;
  return fmt::format(
      "Features={0}{1}[{2}->{3}x2],Network=AffineTransform[1<-{6}](ClippedReLU[{6}](AffineTransform"
      "[{6}<-{5}](ClippedReLU[{5}](AffineTransform[{5}<-{4}](InputSlice[{4}(0:{4})])))))",
      set.name, set.by_king ? "(Friend)" : "", set.inputs, architecture.width, inputs, hidden1, hidden2);
}

std::uint32_t transformer_hash(const Architecture& architecture) {
  return architecture.pairwise ? 0x5f134ab8 : architecture.features->hash ^ (2 * architecture.width);
}

std::uint32_t layers_hash(const Architecture& architecture) {
  if (architecture.pairwise) return 0x6333718a;
  std::uint32_t hash = 0xec42e90d ^ (2 * architecture.width);
  hash = affine_hash(hash, architecture.hidden1) + 0x538d24c7;
  hash = affine_hash(hash, architecture.hidden2) + 0x538d24c7;
  return affine_hash(hash, 1);
}

}  // namespace fuhyo::nnue
