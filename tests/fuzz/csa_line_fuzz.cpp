// Bytes of a client: the framer cuts them alike however they arrive, and every line is some command.

#include <string>
#include <variant>
#include <vector>

#include "server/csa/command.h"
#include "server/csa/game_name.h"
#include "server/csa/line_framer.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
namespace csa = fuhyo::csa;

constexpr std::size_t kLimit = 200;
constexpr std::size_t kIdentifier = 32;

std::vector<std::string> cut(std::string_view bytes, std::size_t chunk) {
  csa::LineFramer framer(kLimit);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    framer.feed(bytes.substr(at, chunk), [&](std::string_view line, bool) { lines.emplace_back(line); });
    require(framer.buffered() <= kLimit + 1, "the framer holds no more than its limit and a CR");
  }
  return lines;
}

void check_game_name(std::string_view text) {
  const auto name = csa::parse_game_name(text, kIdentifier);
  if (!name) return;
  require(name->text == text, "a game name keeps its text");
  require(csa::is_identifier(name->identifier, kIdentifier), "its first part is an identifier");
  require(name->total_s >= 0 && name->total_s <= csa::kMaxSeconds, "its total is in bounds");
  require(name->byoyomi_s >= 0 && name->increment_s >= 0 && name->stopwatch_s >= 0, "its times are not negative");
}

void check_line(std::string_view line) {
  const csa::Command command = csa::parse(line);
  if (const auto* move = std::get_if<csa::MoveLine>(&command)) {
    require(move->line == line && line.starts_with(move->move), "a move is the beginning of its line");
    require(move->comment.find(',') == std::string::npos, "a comment ends at a comma");
  }
  if (const auto login = csa::parse_login(line, kIdentifier)) {
    require(csa::is_identifier(login->name, kIdentifier), "a name is an identifier");
    require(!login->password.empty(), "a password is a word");
    const csa::CsaPassword password = csa::parse_csa_password(login->password.reveal(), kIdentifier);
    check_game_name(password.game.text);
  }
  check_game_name(line);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuhyo::fuzz::text(data, size);
  const std::vector<std::string> lines = cut(bytes, bytes.size() + 1);
  require(lines == cut(bytes, 1) && lines == cut(bytes, 7), "lines do not depend on how the bytes arrive");
  for (const std::string& line : lines) check_line(line);
  return 0;
}
