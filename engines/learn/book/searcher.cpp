#include "engines/learn/book/searcher.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "engines/jobs/fingerprint.h"
#include "engines/learn/data/whole_file.h"
#include "engines/nnue/engine.h"

namespace fuhyo::learn {
namespace {

std::int16_t book_value(const usi::Score& score) {
  using Kind = usi::Score::Kind;
  const int mate = kMateValue - std::clamp(std::abs(score.value), 0, 900);
  if (score.kind == Kind::win) return static_cast<std::int16_t>(mate);
  if (score.kind == Kind::lose) return static_cast<std::int16_t>(-mate);
  return static_cast<std::int16_t>(std::clamp(score.value, -kMateFrom, kMateFrom));
}

SearchLine line_of(const usi::Info& info) {
  return {.move = info.pv.front(),
          .reply = info.pv.size() > 1 ? info.pv[1] : shogi::Move{},
          .value = book_value(info.score.value_or(usi::Score{})),
          .depth = static_cast<std::uint16_t>(std::clamp(info.depth.value_or(0), 0, 999))};
}

SearchResult result_of(const usi::SearchResult& result, int depth) {
  using Kind = usi::BestMove::Kind;
  if (result.best.kind == Kind::resign) return {.lines = {}, .ended = -kMateValue};
  if (result.best.kind == Kind::win) return {.lines = {}, .ended = kMateValue - 1};
  SearchResult found;
  for (const usi::Info& info : result.lines) {
    if (info.pv.empty() || found.lines.size() == kMostLines) continue;
    found.lines.push_back(line_of(info));
  }
  // Of one line, of a mate at the root, and where no iteration was finished there is only the answer.
  if (std::ranges::find(found.lines, result.best.move, &SearchLine::move) == found.lines.end()) {
    found.lines = {{.move = result.best.move,
                    .reply = result.best.ponder,
                    .value = book_value(result.score.value_or(usi::Score{})),
                    .depth = static_cast<std::uint16_t>(std::clamp(depth, 0, 999))}};
  }
  return found;
}

}  // namespace

std::expected<std::string, std::string> text_of_searches(const SearcherOptions& options) {
  std::string print = "built in";
  if (!options.network.empty()) {
    const auto bytes = read_file(options.network);
    if (!bytes) return bytes;
    jobs::Fingerprint sum;
    sum.add(*bytes);
    print = sum.text();
  }
  return fmt::format("network {}, FV_SCALE {}, {} nodes, {} lines, {} MB", print, options.fv_scale, options.nodes,
                     options.lines, options.hash_mb);
}

std::expected<Searcher, std::string> make_searcher(const SearcherOptions& options) {
  const auto engine = std::make_shared<nnue::Engine>();
  for (const auto& [name, value] :
       std::initializer_list<std::pair<std::string_view, std::string>>{{"Threads", "1"},
                                                                       {"USI_Hash", std::to_string(options.hash_mb)},
                                                                       {"USI_OwnBook", "false"},
                                                                       {"MultiPV", std::to_string(options.lines)},
                                                                       {"FV_SCALE", std::to_string(options.fv_scale)},
                                                                       {"EvalFile", options.network}}) {
    if (name == "EvalFile" && value.empty()) continue;
    if (auto done = engine->options().set(name, value); !done) return std::unexpected(done.error());
  }
  if (auto ready = engine->get_ready(); !ready) return std::unexpected(ready.error());
  return [engine, nodes = options.nodes](const shogi::Position& position, const std::stop_token& stop) {
    engine->new_game();
    usi::SearchControl control;
    const std::stop_callback end(stop, [&] { control.stop(); });
    int depth = 0;
    const usi::SearchResult result = engine->search({.start = position, .moves = {}}, {.nodes = nodes}, control,
                                                    [&](const usi::Info& info) { depth = info.depth.value_or(depth); });
    return std::expected<SearchResult, std::string>(result_of(result, depth));
  };
}

}  // namespace fuhyo::learn
