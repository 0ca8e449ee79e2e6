// What an engine or a GUI says. A line of input is parsed as every kind of message, and told to the driver of an
// engine.

#include <string>

#include "engines/usi/driver.h"
#include "engines/usi/game.h"
#include "engines/usi/values.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
namespace usi = fuhyo::usi;

std::string_view after_word(std::string_view line) { return line.substr(std::min(line.find(' '), line.size())); }

void check_values(std::string_view text) {
  if (const auto limits = usi::parse_go(text)) {
    const auto again = usi::parse_go(after_word(usi::to_text(*limits)));
    require(again.has_value() && *again == *limits, "search limits survive being said");
  }
  if (const auto best = usi::parse_bestmove(text)) {
    const auto again = usi::parse_bestmove(after_word(usi::to_text(*best)));
    require(again.has_value() && *again == *best, "an answer survives being said");
  }
  if (const auto game = usi::parse_position(text)) {
    const auto again = usi::parse_position(after_word(usi::position_text(game->start, game->moves)));
    require(again.has_value() && again->moves == game->moves, "a game survives being said");
    require(again->current().key() == game->current().key(), "and reaches the same position");
  }
  usi::to_text(usi::parse_info(text));
}

// The driver hears the lines while it plays; at most one answer follows each question.
void check_driver(std::string_view script) {
  usi::Driver driver({});
  driver.start(0);
  std::int64_t now = 0;
  int asked = 0, answers = 0;
  while (!script.empty()) {
    driver.line(fuhyo::fuzz::take_line(script), now);
    driver.tick(now += 100);
    for (const usi::Driver::Event& event : driver.take_events()) {
      if (std::holds_alternative<usi::Driver::Answer>(event)) ++answers;
      if (!std::holds_alternative<usi::Driver::Ready>(event)) continue;
      if (asked == 0) driver.new_game(0, now);
      driver.think("position startpos", {}, now);
      ++asked;
    }
    require(answers <= asked, "nobody gets an answer without a question");
  }
  driver.closed();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuhyo::fuzz::text(data, size);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = fuhyo::fuzz::take_line(rest);
    check_values(line);
    check_values(after_word(line));
  }
  check_driver(text);
  return 0;
}
