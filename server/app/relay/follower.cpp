#include "server/app/relay/follower.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <tuple>
#include <utility>

#include "server/core/rating/rated_id.h"
#include "server/core/text_parts.h"
#include "server/store/shogi_server/local_time.h"

namespace fuhyo::app {
namespace {

constexpr std::string_view kEnd = "+OK";
constexpr int kRequestsBetweenLists = 3;
constexpr int kClosings = 2;

// Takes `beginning` off; false: it is not there.
bool cut(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

}  // namespace

Follower::Follower(Config config, core::GameId& last_game, const std::vector<core::GameStory>& unfinished)
    : config_(std::move(config)), last_game_(last_game) {
  for (const core::GameStory& story : unfinished) games_[story.opened.csa_id].game.emplace(story);
}

std::string Follower::local_time(core::Wall at) const { return store::format_local_time(at, config_.zone); }

// ---- the line ----

void Follower::connected(core::Now now) {
  connected_ = true;
  asked_ = Asked::login;
  asked_at_ = now.mono;
  effects_.lines.push_back(fmt::format("LOGIN {} {} x1", config_.login, config_.password.reveal()));
}

void Follower::disconnected() {
  take_closing();
  connected_ = listed_once_ = shown_ = tells_comments_ = false;
  since_list_ = kRequestsBetweenLists;
  listed_.clear();
  missing_.clear();
  for (auto& [id, watched] : games_) {
    watched.lines.clear();
    watched.asked.reset();
  }
}

// A shogi-server closes the line of who asks for a record with a comment that is not ASCII. Once may be chance.
void Follower::take_closing() {
  const auto found = games_.find(std::exchange(reading_, {}));
  if (found == games_.end() || ++found->second.closed < kClosings) return;
  auto& [id, watched] = *found;
  watched.strange = true;
  effects_.notes.push_back(fmt::format("{} cannot be followed: the server closes the line in place of its record", id));
  if (!watched.game) return;
  const core::GameOpened& opened = watched.game->story().opened;
  unreadable_.insert({opened.black.name, opened.white.name});
}

void Follower::line(std::string_view text, core::Now now) {
  if (asked_ != Asked::login) return online_line(text, now);
  if (!cut(text, "LOGIN:")) return;
  if (!text.ends_with(" OK")) {
    effects_.fault = fmt::format("the server refuses the login of {}", config_.login);
    return;
  }
  asked_ = Asked::nothing;
  since_list_ = kRequestsBetweenLists;
  asked_at_ = now.mono + -config_.every_us;
}

void Follower::online_line(std::string_view text, core::Now now) {
  if (cut(text, "##[LIST] ")) return list_line(text);
  if (cut(text, "##[WHO] ")) return who_line(text, now);
  if (cut(text, "##[SHOW] ")) return show_line(text, now);
  if (cut(text, "##[MONITOR2][")) {
    const std::size_t end = text.find("] ");
    if (end != std::string_view::npos) record_line(text.substr(0, end), text.substr(end + 2), now);
  } else if (text.starts_with("##[ERROR]")) {
    effects_.notes.emplace_back(text);
  }
}

// ---- which games there are ----

void Follower::list_line(std::string_view text) {
  if (asked_ != Asked::list) return;
  if (text == kEnd) return take_list();
  if (listed_.size() < kMostGames) listed_.emplace(text);
}

void Follower::take_list() {
  asked_ = Asked::nothing;
  listed_once_ = true;
  std::erase_if(games_, [&](const auto& entry) {
    const auto& [id, watched] = entry;
    return !listed_.contains(id) && (!watched.game || watched.over());
  });
  std::erase_if(missing_, [&](const std::string& id) { return listed_.contains(id); });
  for (const auto& [id, watched] : games_) {
    const bool known = std::ranges::find(missing_, id) != missing_.end();
    if (!known && !listed_.contains(id)) missing_.insert(missing_.begin(), id);
  }
  for (const std::string& id : listed_) games_.try_emplace(id);
  listed_.clear();
}

// "name+trip x1 game foo-300-10 +"
void Follower::who_line(std::string_view text, core::Now now) {
  if (asked_ != Asked::who) return;
  if (text == kEnd) {
    asked_ = Asked::nothing;
    return;
  }
  const auto words = core::parts_of(text, ' ');
  if (words.size() < 5 || words[2] != "game") return;
  for (auto& [id, watched] : games_) {
    if (!watched.game || watched.over()) continue;
    const core::GameOpened& opened = watched.game->story().opened;
    const core::Seat& seat = words[4] == "-" ? opened.white : opened.black;
    if (opened.game_name != words[3] || seat.name != core::rating::name_of(words[0])) continue;
    watched.game->start(now.wall, effects_.facts);
  }
}

// A game that is shown late is still there for its watchers when it is no longer in the list.
void Follower::show_line(std::string_view text, core::Now now) {
  if (asked_ != Asked::show) return;
  if (text != kEnd) {
    shown_ = true;
    return;
  }
  asked_ = Asked::nothing;
  const std::string id = missing_.back();
  missing_.pop_back();
  const auto found = games_.find(id);
  if (std::exchange(shown_, false) || found == games_.end()) return;
  found->second.game->lose_sight(now.wall, local_time(now.wall), effects_.facts);
  effects_.notes.push_back(fmt::format("{}: its end was not told", id));
  games_.erase(found);
}

// ---- what is played ----

void Follower::record_line(std::string_view id, std::string_view text, core::Now now) {
  const auto found = games_.find(id);
  if (found == games_.end()) return;
  Watched& watched = found->second;
  if (id == reading_) reading_.clear();
  if (text == kEnd) {
    take_block(found->first, watched, now);
    watched.lines.clear();
  } else if (watched.lines.size() < kMostLines) {
    watched.lines.emplace_back(text);
  } else {
    effects_.fault = fmt::format("{}: a record that does not end", id);
  }
}

void Follower::take_block(const std::string& id, Watched& watched, core::Now now) {
  if (watched.strange || watched.over()) return;
  if (is_record(watched.lines)) return take_record(id, watched, now);
  if (!watched.game) return;
  const WatchedLines lines = read_watched_lines(watched.lines);
  if (!lines.comments.empty()) tells_comments_ = true;
  take_lines(id, watched, lines, watched.game->plies(), now);
  if (lines.end.empty() || lines.spent_s || watched.strange) return;
  watched.game->end(lines.end, now.wall, local_time(now.wall), effects_.facts);
}

void Follower::take_record(const std::string& id, Watched& watched, core::Now now) {
  auto record = read_watched_record(watched.lines, id);
  if (!record) {
    watched.strange = true;
    effects_.notes.push_back(fmt::format("{} cannot be followed: {}", id, record.error()));
    return;
  }
  if (!watched.game) watched.game.emplace(open(*record, now));
  take_lines(id, watched, record->lines, watched.game->preset(), now);
  watched.record_plies = watched.game->plies();
}

void Follower::take_lines(const std::string& id, Watched& watched, const WatchedLines& lines, std::int32_t ply,
                          core::Now now) {
  const auto why = watched.game->take(lines, ply, now.wall, effects_.facts);
  if (!why) return;
  watched.strange = true;
  effects_.notes.push_back(fmt::format("{} cannot be followed any more: {}", id, *why));
}

// When it was paired is known by this machine's clock alone: so long ago as its moves have taken.
RelayedGame Follower::open(WatchedRecord& record, core::Now now) {
  core::GameOpened& opened = record.opened;
  opened.game = last_game_ = core::GameId{core::value(last_game_) + 1};
  opened.room = config_.room;
  const auto& moves = record.lines.moves;
  const auto played_s = std::accumulate(moves.begin(), moves.end(), std::int64_t{0},
                                        [](std::int64_t sum, const WatchedMove& move) { return sum + move.spent_s; });
  opened.at = {now.wall.us - played_s * core::kSecond};
  if (opened.local_time.empty()) opened.local_time = local_time(opened.at);
  effects_.facts.emplace_back(opened);
  RelayedGame game(core::GameStory{opened});
  if (!moves.empty()) game.start(opened.at, effects_.facts);
  return game;
}

// ---- what is asked ----

core::Instant Follower::due() const {
  if (!connected_) return core::Instant{INT64_MAX};
  return asked_at_ + (asked_ == Asked::nothing ? config_.every_us : kAnswer_us);
}

void Follower::tick(core::Now now) {
  if (now.mono < due()) return;
  if (asked_ == Asked::nothing) return ask(now);
  effects_.fault = "the server does not answer";
}

bool Follower::any_to_start() const {
  return std::ranges::any_of(games_, [](const auto& entry) {
    const auto& game = entry.second.game;
    return game && !game->story().phase.has_started();
  });
}

void Follower::ask(core::Now now) {
  const bool list_is_due = since_list_ >= kRequestsBetweenLists;
  const auto show = [&] { ask(Asked::show, fmt::format("%%SHOW {}", missing_.back()), now); };
  if (since_list_ == 0 && !missing_.empty()) return show();
  if (!list_is_due && std::exchange(who_is_next_, false)) return ask(Asked::who, "%%WHO", now);
  if (!list_is_due && ask_for_record(now)) return;
  if (!list_is_due && !missing_.empty()) return show();
  who_is_next_ = any_to_start();
  ask(Asked::list, "%%LIST", now);
}

void Follower::ask(Asked what, std::string line, core::Now now) {
  asked_ = what;
  asked_at_ = now.mono;
  reading_.clear();
  since_list_ = what == Asked::list ? 0 : since_list_ + 1;
  effects_.lines.push_back(std::move(line));
}

// Again for what players say of later moves: a shogi-server tells it in the record alone, and has the comment with the
// move. Who asks at once misses the least when the game ends.
bool Follower::is_wanted(const Watched& watched, core::Now now) const {
  if (watched.strange || watched.over()) return false;
  if (!watched.asked) return true;
  if (!watched.record_plies) return now.mono - *watched.asked >= kAgain * config_.every_us;
  const core::GameOpened& opened = watched.game->story().opened;
  const bool may_read_again = !unreadable_.contains(opened.black.name) && !unreadable_.contains(opened.white.name);
  return !tells_comments_ && may_read_again && watched.game->plies() > *watched.record_plies;
}

// The one that was not asked for over this connection, or longest ago; those that may end the line come last.
bool Follower::ask_for_record(core::Now now) {
  const auto rank = [](const Watched& watched) {
    return std::tuple(watched.closed, watched.asked.value_or(core::Instant{INT64_MIN}));
  };
  auto first = games_.end();
  for (auto it = games_.begin(); it != games_.end(); ++it) {
    if (!is_wanted(it->second, now)) continue;
    if (first == games_.end() || rank(it->second) < rank(first->second)) first = it;
  }
  if (first == games_.end()) return false;
  auto& [id, watched] = *first;
  watched.asked = now.mono;
  watched.record_plies.reset();
  ask(Asked::nothing, fmt::format("%%MONITOR2ON {} comments", id), now);
  reading_ = id;
  return true;
}

}  // namespace fuhyo::app
