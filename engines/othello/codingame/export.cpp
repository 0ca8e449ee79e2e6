#include "engines/othello/codingame/export.h"

#include <fmt/format.h>
#include <vector>

#include "engines/machine/embedded.h"
#include "engines/nn/container.h"
#include "engines/nn/half.h"
#include "engines/othello/othello_game.h"

FUHYO_EMBED(fuhyo_othello_player, FUHYO_OTHELLO_PLAYER);

namespace fuhyo::othello {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kLiteral = 2'000;  // characters of a line

// Sixteen bits after sixteen bits, six to a character, the highest first; the last one is filled up with zeros.
std::string weights_text(const nn::Model& model) {
  std::string digits;
  std::uint32_t bits = 0, count = 0;
  nn::for_each_tensor(model, [&](const std::string&, const std::vector<float>& values) {
    for (const float value : values) {
      bits = bits << 16 | nn::to_half(value);
      for (count += 16; count >= 6; count -= 6) digits += kDigits[bits >> (count - 6) & 63];
      bits &= (1U << count) - 1;
    }
  });
  if (count > 0) digits += kDigits[bits << (6 - count) & 63];
  std::string text;
  for (std::size_t at = 0; at < digits.size(); at += kLiteral) {
    text += fmt::format("{}\"{}\"", at == 0 ? "" : "\n", digits.substr(at, kLiteral));
  }
  return text;
}

void replace(std::string& text, std::string_view name, std::string_view by) {
  text.replace(text.find(name), name.size(), by);
}

// Nothing of it may end a comment's line.
std::string one_line(std::string_view remark) {
  std::string line(remark);
  for (char& c : line) {
    if (c < ' ' || c > '~' || c == '\\') c = '?';
  }
  return line;
}

}  // namespace

std::expected<std::string, std::string> codingame_source(const nn::Model& model, std::string_view remark) {
  const nn::Shape& shape = model.shape;
  if (auto fits = check_shape(shape); !fits) return std::unexpected(fits.error());
  if (shape.kind != nn::BlockKind::plain || shape.activation != nn::Activation::relu) {
    return std::unexpected(fmt::format("{}: only plain blocks with ReLU are exported", shape.name()));
  }
  if (auto held = nn::check_halves(model); !held) return std::unexpected(held.error());
  std::string source(fuhyo_othello_player, fuhyo_othello_player_end);
  replace(source, "@CHANNELS@", fmt::format("{}", shape.channels));
  replace(source, "@BLOCKS@", fmt::format("{}", shape.blocks));
  replace(source, "@VALUE_PLANES@", fmt::format("{}", shape.value_planes));
  replace(source, "@VALUE_HIDDEN@", fmt::format("{}", shape.value_hidden));
  replace(source, "@WEIGHTS@", weights_text(model));
  replace(source, "@REMARK@", one_line(remark));
  if (source.size() >= kSourceLimit) {
    return std::unexpected(
        fmt::format("the source would have {} characters of fewer than {}: its {} weights are too many", source.size(),
                    kSourceLimit, shape.parameters()));
  }
  return source;
}

}  // namespace fuhyo::othello
