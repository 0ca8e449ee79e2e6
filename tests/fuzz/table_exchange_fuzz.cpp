// Lines "tt" of strangers, to an engine that then searches: whatever they say of the positions that it meets, it plays
// a legal move and claims no mate. Few made-up keys would be met, so each stands for one of them here.

#include <vector>

#include "engines/nnue/engine.h"
#include "engines/shogi/movegen.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
namespace usi = fuhyo::usi;
namespace shogi = fuhyo::shogi;

constexpr std::string_view kPosition = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
constexpr std::int64_t kNodes = 200;

// The position and all that a move leads to.
std::vector<shogi::Key> keys_around(shogi::Position position) {
  std::vector<shogi::Key> keys = {position.key()};
  for (const shogi::Move move : shogi::legal_moves(position)) keys.push_back(position.key_after(move));
  return keys;
}

void check_line(std::string_view line) {
  const auto read = usi::parse_table_line(line);
  if (!read) return fuhyo::fuzz::require_reason(read.error());
  const auto* batch = std::get_if<usi::TableBatch>(&*read);
  if (batch == nullptr || batch->entries.empty()) return;
  const std::string said = usi::to_text(batch->search, batch->entries);
  require(said.size() <= usi::kLongestTableLine, "a batch fits into a line");
  const auto again = usi::parse_table_line(std::string_view(said).substr(2));
  require(again && std::get<usi::TableBatch>(*again).entries == batch->entries, "entries survive being said");
}

class Listener {
 public:
  Listener() {
    for (const auto& [name, value] : {std::pair{"Threads", "1"}, {"USI_OwnBook", "false"}, {"TableExchange", "lines"}})
      set(name, value);
    engine_.table_exchange()->print_to([](std::string_view) {});
  }

  void begin() {
    for (const char* megabytes : {"2", "1"}) {  // a table of another size is an empty one
      set("USI_Hash", megabytes);
      require(engine_.get_ready().has_value(), "the engine gets ready");
    }
    hear("search 1");
  }

  void hear(std::string_view line) {
    usi::TableExchange& exchange = *engine_.table_exchange();
    exchange.hear(line);
    const auto read = usi::parse_table_line(line);
    if (!read || !std::holds_alternative<usi::TableBatch>(*read)) return;
    std::vector<usi::TableEntry> entries = std::get<usi::TableBatch>(*read).entries;
    for (usi::TableEntry& entry : entries) entry.key = keys_[entry.key % keys_.size()];
    exchange.hear("search 1");
    if (!entries.empty()) exchange.hear(std::string_view(usi::to_text(1, entries)).substr(2));
  }

  void search() {
    engine_.table_exchange()->begin_search();
    const usi::SearchControl control;
    const usi::SearchResult result = engine_.search(game_, {.nodes = kNodes}, control, [](const usi::Info&) {});
    engine_.table_exchange()->tell();
    shogi::Position position = game_.current();
    require(result.best.kind == usi::BestMove::Kind::move && position.is_legal(result.best.move), "the move is legal");
    require(!result.score || result.score->kind == usi::Score::Kind::cp, "there is no mate");
    position.do_move(result.best.move);
    require(!result.best.ponder || position.is_legal(result.best.ponder), "the reply is legal");
  }

 private:
  void set(std::string_view name, std::string_view value) {
    require(engine_.options().set(name, value).has_value(), "an option is set");
  }

  fuhyo::nnue::Engine engine_;
  const usi::Game game_ = *usi::parse_position(kPosition);
  const std::vector<shogi::Key> keys_ = keys_around(game_.current());
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Listener listener;
  listener.begin();
  for (std::string_view rest = fuhyo::fuzz::text(data, size); !rest.empty();) {
    const std::string_view line = fuhyo::fuzz::take_line(rest);
    check_line(line);
    listener.hear(line);
  }
  listener.search();
  return 0;
}
