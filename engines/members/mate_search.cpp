#include "engines/members/mate_search.h"

#include <algorithm>

#include "engines/members/own_checks.h"

namespace fuhyo::members {
namespace {

using Kind = usi::Checkmate::Kind;

// From the limit, or from "stop", until members that say nothing are not waited for.
constexpr std::int64_t kPatienceMs = 200;

}  // namespace

void MateSearch::begin(std::int64_t limit_ms, std::int64_t now) {
  std::erase_if(members_, [](const Member* member) { return member->state() != Member::State::ready; });
  for (Member* const member : members_) member->ask(game_, {.mate_ms = limit_ms}, now);
  if (limit_ms < usi::kForever - now - kPatienceMs) patience_ends_ = now + limit_ms + kPatienceMs;
  look(now);
}

void MateSearch::look(std::int64_t now) {
  if (result_) return;
  bool waiting = false;
  for (const Member* const member : members_) {
    if (!member->mate()) {
      waiting = waiting || (member->asked() && !member->answered());
      continue;
    }
    const usi::Checkmate& answer = *member->mate();
    if (answer.kind == Kind::no_mate) return finish(answer, now);
    if (answer.kind != Kind::mate || std::ranges::find(refused_, member) != refused_.end()) continue;
    if (ends_in_mate(game_.current(), answer.line)) return finish(answer, now);
    refused_.push_back(member);
    notes_.push_back(member->name() + ": its mate is none, and is left out");
  }
  if (!waiting || now >= patience_ends_) finish({.kind = Kind::timeout}, now);
}

void MateSearch::stop(std::int64_t now) {
  if (result_) return;
  for (Member* const member : members_) member->hurry(now);
  patience_ends_ = std::min(patience_ends_, now + kPatienceMs);
}

void MateSearch::finish(usi::Checkmate answer, std::int64_t now) {
  for (Member* const member : members_) {
    if (member->asked() && !member->answered()) member->abandon(now);
  }
  result_ = std::move(answer);
}

}  // namespace fuhyo::members
