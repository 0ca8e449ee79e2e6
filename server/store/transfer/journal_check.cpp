#include "server/store/transfer/journal_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace fuhyo::store {
namespace {

std::uint64_t number(const Row& row, std::string_view column) {
  return static_cast<std::uint64_t>(cell(TableId::journal, row, column).number);
}

bool fits(std::uint64_t number) { return number <= UINT16_MAX; }

}  // namespace

void JournalCheck::take(const Row& row) {
  const std::uint64_t seq = number(row, "seq"), kind = number(row, "kind"), version = number(row, "version");
  take_seq(seq);
  if (!fits(kind) || !fits(version)) return fault_(fmt::format("journal row {}: is of no known kind", seq));
  const auto fact = core::decode(static_cast<std::uint16_t>(kind), static_cast<std::uint16_t>(version),
                                 cell(TableId::journal, row, "payload").bytes);
  if (!fact) return fault_(fmt::format("journal row {}: {}", seq, fact.error()));
  take_fact(core::Seq{seq}, *fact, row);
}

void JournalCheck::take_seq(std::uint64_t seq) {
  if (first == 0) {
    first = seq;
  } else if (seq != last + 1) {
    fault_(fmt::format("journal row {}: follows row {}", seq, last));
  }
  last = seq;
}

void JournalCheck::take_fact(core::Seq seq, const core::Fact& fact, const Row& row) {
  const std::uint64_t game = core::value(core::game_of(fact));
  if (game != number(row, "game")) {
    fault_(fmt::format("journal row {}: is of game {}, and its fact of game {}", core::value(seq), number(row, "game"),
                       game));
  }
  if (game != 0) take_game(seq, game, fact);
  keep_keyed(fact, row);
  if (const auto* acted = std::get_if<core::AdminActed>(&fact)) audit.emplace(core::value(seq), mark_of(seq, *acted));
  if (const auto* held = std::get_if<core::RoundHeld>(&fact)) rounds.emplace(core::value(seq), mark_of(seq, *held));
}

void JournalCheck::take_game(core::Seq seq, std::uint64_t game, const core::Fact& fact) {
  const auto wrong = [&](std::string_view why) {
    fault_(fmt::format("game {}, journal row {}: {}", game, core::value(seq), why));
  };
  if (const auto* opened = std::get_if<core::GameOpened>(&fact)) {
    if (live.contains(game) || ended.contains(game)) return wrong("is opened a second time");
    live.emplace(game, core::value(seq));
    last_game = std::max(last_game, game);
    last_stamp = std::max(last_stamp, stamp_of(opened->csa_id));
    const auto replay = replays_.emplace(game, *opened).first;
    if (const auto fault = replay->second.begin()) wrong(*fault);
  } else if (ended.contains(game)) {
    return wrong("goes on after its end");
  } else if (const auto replay = replays_.find(game); replay != replays_.end()) {
    if (const auto fault = replay->second.take(fact)) wrong(*fault);
  } else if (first == 1) {
    return wrong("was never opened");
  }
  if (const auto whole = growing_.take(fact)) finished.emplace(game, game_mark(*whole));
  const bool rejects = std::holds_alternative<core::GameRejected>(fact);
  if (!rejects && !std::holds_alternative<core::GameEnded>(fact)) return;
  if (rejects) rejected.insert(game);
  ended.insert(game);
  live.erase(game);
  replays_.erase(game);
}

void JournalCheck::keep_keyed(const core::Fact& fact, const Row& row) {
  const auto keyed = core::keyed_fact_of(fact);
  if (!keyed) return;
  if (keyed->prefix) {
    for (auto at = keyed_facts.lower_bound(keyed->key); at != keyed_facts.end() && at->first.starts_with(keyed->key);
         ++at) {
      at->second = std::nullopt;
    }
    return;
  }
  if (keyed->deleted) {
    keyed_facts[keyed->key] = std::nullopt;
    return;
  }
  Row wanted;
  wanted.push_back({.number = 0, .real = 0, .bytes = keyed->key});
  for (const char* column : {"seq", "kind", "version", "payload"}) {
    wanted.push_back(cell(TableId::journal, row, column));
  }
  keyed_facts[keyed->key] = mark_of(TableId::standing, wanted);
}

}  // namespace fuhyo::store
