#include "server/net/archive_api.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "engines/shogi/number.h"
#include "server/core/comments.h"
#include "server/core/games/finished_game.h"
#include "server/core/games/game.h"
#include "server/net/analysis_api.h"
#include "server/net/archive_query.h"
#include "server/net/await.h"
#include "server/net/cache_times.h"
#include "server/net/cross_csv.h"
#include "server/net/feed_json.h"
#include "server/net/picture/board_picture.h"
#include "server/net/record_file.h"
#include "server/net/web_json.h"
#include "server/net/zip.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;
using core::Catalogue;
using Answer = Catalogue::Answer<ArchiveReply>;

constexpr std::string_view kGames = "/api/v1/games", kGame = "/api/v1/games/", kZip = "/api/v1/games.zip",
                           kPlayers = "/api/v1/players", kPlayer = "/api/v1/players/", kRounds = "/api/v1/rounds",
                           kCross = "/api/v1/crosstable", kCrossCsv = "/api/v1/crosstable.csv",
                           kBuoys = "/api/v1/buoys", kOpenings = "/api/v1/openings", kRss = "/games.rss";
constexpr std::string_view kPicture = "png";
constexpr std::size_t kMostZipped = 1'000, kRssGames = 50;
// Of records in one zip: 1,000 with the comments of floodgate's engines. Strangers can make one of a megabyte and more.
constexpr std::size_t kMostZippedBytes = std::size_t{32} << 20;

ArchiveReply json_reply(std::string json) {
  return {.content_type = "application/json", .body = std::move(json), .cached = kCachedForAMoment};
}

ArchiveReply failure(unsigned status, std::string_view why) {
  return {.status = status, .content_type = "application/json", .body = error_json(why)};
}
ArchiveReply no_game() { return failure(404, "there is no such game"); }

std::string_view rest(std::string_view path, std::string_view prefix) { return path.substr(prefix.size()); }

// "7.kif" is 7 and "kif"; "7" has no extension.
struct GameName {
  core::GameId id{};
  std::string_view extension;
};
std::optional<GameName> game_name(std::string_view text) {
  GameName name;
  const auto number = shogi::take_number<std::uint64_t>(text);
  if (!number) return std::nullopt;
  name.id = core::GameId{*number};
  if (text.empty()) return name;
  if (text.size() < 2 || text.front() != '.') return std::nullopt;
  name.extension = text.substr(1);
  return name;
}

ArchiveReply record_reply(const core::GameOpened& opened, const ShownRecord& shown, std::string_view extension) {
  auto file = record_file(opened, shown, extension);
  if (!file) return failure(file.error().unknown ? 404 : 422, file.error().why);
  return {.content_type = std::string(file->content_type),
          .body = std::move(file->bytes),
          .file_name = file_name(opened.csa_id, extension),
          .cached = kCachedForAMoment};
}

// Nothing: the newest position.
std::optional<std::int32_t> ply_of(Query& query) {
  const std::int64_t ply = query.number("ply", 0, 99'999, -1);
  if (ply < 0) return std::nullopt;
  return static_cast<std::int32_t>(ply);
}

// Of a game that goes on without a position there is none.
ArchiveReply picture_reply(const core::GameStory& game, std::optional<std::int32_t> ply) {
  auto position = shogi::Position::from_sfen(game.opened.start_sfen);
  std::optional<shogi::Square> last;
  const std::size_t shown = std::min(game.moves.size(), static_cast<std::size_t>(ply.value_or(INT32_MAX)));
  for (std::size_t i = 0; position && i < shown; ++i) {
    const auto move = core::play(*position, game.moves[i]);
    if (!move) return failure(404, "the position is not known");
    last = move->to();
  }
  if (!position) return failure(404, "the position is not known");
  return {.content_type = "image/png", .body = board_picture(*position, last), .cached = kCachedForAMoment};
}

// As the host allows spectators to see it.
ShownRecord shown_record(const core::FinishedGame& game, core::Comments comments) {
  return {core::record_text(core::story_of(game), {.comments = false, .others = false}),
          core::comments_shown(comments, game.opened, true) ? game.notes : ""};
}

Answer list(Catalogue& catalogue, core::GameQuery query) {
  const std::size_t limit = query.limit++;  // one more says whether there are more
  auto games = catalogue.games(query);
  if (!games) return std::unexpected(games.error());
  const bool more = games->size() > limit;
  if (more) games->resize(limit);
  return json_reply(games_json(*games, more));
}

Answer zip_of(Catalogue& catalogue, core::GameQuery query, core::Comments comments) {
  query.limit = kMostZipped;
  const auto games = catalogue.games(query);
  if (!games) return std::unexpected(games.error());
  std::vector<ZipEntry> entries;
  std::size_t bytes_left = kMostZippedBytes;
  for (const core::FinishedGame& row : *games) {
    const auto game = catalogue.game(row.opened.game);
    if (!game) return std::unexpected(game.error());
    if (!*game) continue;
    auto file = record_file(row.opened, shown_record(**game, comments), "csa");
    if (!file) continue;
    if (file->bytes.size() > bytes_left) break;
    bytes_left -= file->bytes.size();
    entries.push_back({file_name(row.opened.csa_id, "csa"), std::move(file->bytes), row.ended.at});
  }
  auto bytes = zip(entries);
  if (!bytes) return std::unexpected(Catalogue::Fault{bytes.error()});
  return ArchiveReply{.content_type = "application/zip",
                      .body = std::move(*bytes),
                      .file_name = "games.zip",
                      .cached = kCachedForAMoment};
}

Answer rss(Catalogue& catalogue, const std::string& site) {
  const auto games = catalogue.games({.limit = kRssGames});
  if (!games) return std::unexpected(games.error());
  return ArchiveReply{.content_type = "application/rss+xml; charset=utf-8",
                      .body = games_rss(*games, site),
                      .cached = kCachedForAMoment};
}

// What of a finished game the host shows.
struct GameShown {
  core::Comments comments{};
  core::Wall now;
  bool analysed = false;
  std::optional<std::set<std::string>> quiet_rooms;  // as the feed has them
  std::shared_ptr<core::Commentator> commentator;

  std::optional<std::vector<core::Told>> commentary(const core::GameStory& game) const {
    if (!quiet_rooms || quiet_rooms->contains(game.opened.room)) return std::nullopt;
    return core::commentary_of(game, are_shown(comments, game), *commentator);
  }
};

ArchiveReply finished_reply(const core::FinishedGame& game, const GameName& name, std::optional<std::int32_t> ply,
                            const GameShown& shown) {
  if (name.extension == kPicture) return picture_reply(core::story_of(game), ply);
  if (!name.extension.empty()) return record_reply(game.opened, shown_record(game, shown.comments), name.extension);
  const core::LiveGame live(core::story_of(game));
  return json_reply(game_json(live, shown.now, shown.comments, shown.analysed, shown.commentary(live)));
}

Answer one_game(Catalogue& catalogue, const GameName& name, std::optional<std::int32_t> ply, const GameShown& shown) {
  const auto game = catalogue.game(name.id);
  if (!game) return std::unexpected(game.error());
  if (!*game) return no_game();
  ArchiveReply reply = finished_reply(**game, name, ply, shown);
  if (reply.status != 200) return reply;
  const bool may_change = shown.commentator && shown.commentator->finds_words();
  const auto& of_page = may_change ? kCachedForAMoment : kCachedForADay;
  reply.cached = name.extension.empty() ? of_page : kCachedForEver;
  return reply;
}

Answer one_player(Catalogue& catalogue, const std::string& id, const core::TimeZone& zone) {
  const auto page = catalogue.player(id);
  if (!page) return std::unexpected(page.error());
  if (!*page) return failure(404, "there is no such player");
  return json_reply(player_json(**page, zone));
}

Answer rounds(Catalogue& catalogue, core::RoundQuery query, const std::function<std::vector<RoundTime>()>& times) {
  const std::size_t limit = query.limit++;
  auto list = catalogue.rounds(query);
  if (!list) return std::unexpected(list.error());
  const bool more = list->rounds.size() > limit;
  if (more) list->rounds.resize(limit);
  return json_reply(rounds_json(*list, times ? times() : std::vector<RoundTime>(), more));
}

Answer buoys(Catalogue& catalogue, core::BuoyQuery query) {
  const std::size_t limit = query.limit++;
  const auto found = catalogue.buoys(query);
  if (!found) return std::unexpected(found.error());
  return json_reply(buoys_json(*found, limit));
}

Answer cross_file(Catalogue& catalogue, const core::CrossQuery& query) {
  const auto answer = catalogue.cross_table(query);
  if (!answer) return std::unexpected(answer.error());
  return ArchiveReply{.content_type = "text/csv; charset=utf-8; header=present",
                      .body = cross_csv(answer->table),
                      .file_name = "crosstable.csv",
                      .cached = kCachedForAMoment};
}

// What the catalogue says, in words of this API.
template <class Value>
Answer told(Catalogue::Answer<Value> value, std::string (*in_words)(const Value&)) {
  if (!value) return std::unexpected(value.error());
  return json_reply(in_words(*value));
}

Answer about_game_of(Catalogue& catalogue, const PagePath& page, PageLanguage language) {
  const auto game = catalogue.game(page.game);
  if (!game) return std::unexpected(game.error());
  if (!*game) return ArchiveReply{.about = PageAbout{.found = false}};
  return ArchiveReply{.about = about_game(core::story_of(**game), page.ply, language)};
}

Answer about_player_of(Catalogue& catalogue, const std::string& id, PageLanguage language) {
  const auto page = catalogue.player(id);
  if (!page) return std::unexpected(page.error());
  if (!*page) return ArchiveReply{.about = PageAbout{.found = false}};
  PageAbout about = about_player(**page, language);
  if (const auto games = catalogue.games({.player = id, .limit = 1}); games && !games->empty()) {
    about.pictured = games->front().opened.game;
  }
  return ArchiveReply{.about = std::move(about)};
}

bool is_of_this_machine(std::string_view network) {
  return network.starts_with("127.") || network == core::narrow_network("::1");
}

}  // namespace

bool ArchiveApi::takes(std::string_view path) {
  return path == kGames || path.starts_with(kGame) || path == kZip || path == kPlayers || path.starts_with(kPlayer) ||
         path == kCross || path == kCrossCsv || path == kRounds || path == kBuoys || path == kOpenings || path == kRss;
}

// The work of a target; of one that is wrong it is its refusal, so that nobody waits for it.
ArchiveApi::Work ArchiveApi::work_for(std::string_view path, std::string_view text, std::string site, const Feed& feed,
                                      core::Wall now) const {
  Query query(text);
  Work work;
  const core::Comments comments = comments_;
  if (path == kGames) work = [wanted = game_query(query)](Catalogue& c) { return list(c, wanted); };
  if (path == kZip) work = [wanted = game_query(query), comments](Catalogue& c) { return zip_of(c, wanted, comments); };
  if (path == kRss) work = [site = std::move(site)](Catalogue& c) { return rss(c, site); };
  if (path == kCross)
    work = [wanted = cross_query(query)](Catalogue& c) { return told(c.cross_table(wanted), cross_json); };
  if (path == kCrossCsv) work = [wanted = cross_query(query)](Catalogue& c) { return cross_file(c, wanted); };
  if (path == kPlayers) {
    work = [wanted = player_query(query)](Catalogue& c) { return told(c.players(wanted), players_json); };
  }
  if (path == kRounds) {
    work = [wanted = round_query(query), &times = options_.round_times](Catalogue& c) {
      return rounds(c, wanted, times);
    };
  }
  if (path == kBuoys) work = [wanted = buoy_query(query)](Catalogue& c) { return buoys(c, wanted); };
  if (path == kOpenings) {
    const auto key = position_of(query, "sfen");
    if (!key) query.refuse("sfen", "is missing");
    work = [key](Catalogue& c) { return told(c.continuations(key.value_or(0)), continuations_json); };
  }
  if (path.starts_with(kGame)) {
    const auto name = game_name(rest(path, kGame));
    if (!name) return [](Catalogue&) -> Answer { return no_game(); };
    GameShown shown{.comments = comments,
                    .now = now,
                    .analysed = options_.analyst != nullptr,
                    .quiet_rooms = feed.quiet_rooms(),
                    .commentator = options_.commentator};
    const auto ply = name->extension == kPicture ? ply_of(query) : std::nullopt;
    work = [id = name->id, extension = std::string(name->extension), ply, shown = std::move(shown)](Catalogue& c) {
      return one_game(c, {id, extension}, ply, shown);
    };
  }
  if (path.starts_with(kPlayer)) {
    auto id = percent_decoded(rest(path, kPlayer), false);
    if (!id) return [](Catalogue&) -> Answer { return failure(404, "there is no such player"); };
    work = [id = std::move(*id), &zone = options_.zone](Catalogue& c) { return one_player(c, id, zone); };
  }
  if (auto fault = query.fault()) {
    return [why = std::move(*fault)](Catalogue&) -> Answer { return failure(400, why); };
  }
  return work;
}

// A game that runs is refused by what the feed shows of it, whatever the store knows already.
ArchiveApi::Work ArchiveApi::analysis_work(core::GameId game, std::string_view text, std::string caller,
                                           const Feed& feed) const {
  Query query(text);
  const AnalysisQuery asked = analysis_query(query);
  if (auto fault = query.fault()) {
    return [why = std::move(*fault)](Catalogue&) -> Answer { return failure(400, why); };
  }
  if (const core::LiveGame* live = feed.find(game); live != nullptr && !live->ended) {
    return [](Catalogue&) -> Answer { return failure(409, "the game is not over"); };
  }
  return [game, asked, caller = std::move(caller), analyst = options_.analyst](Catalogue& catalogue) -> Answer {
    const auto finished = catalogue.game(game);
    if (!finished) return std::unexpected(finished.error());
    return *finished ? analysis_reply(*analyst, **finished, asked, caller) : no_game();
  };
}

std::optional<ArchiveReply> ArchiveApi::from_feed(std::string_view name, const Feed& feed, core::Wall now) const {
  const auto wanted = game_name(name);
  const core::LiveGame* game = wanted ? feed.find(wanted->id) : nullptr;
  if (game == nullptr) return std::nullopt;
  if (wanted->extension.empty()) {
    const bool analysed = options_.analyst && options_.catalogue;
    return json_reply(game_json(*game, now, comments_, analysed, feed.commentary(*game)));
  }
  const core::NotesShown notes{.comments = are_shown(comments_, *game), .others = false};
  return record_reply(game->opened, {core::record_text(*game, notes), ""}, wanted->extension);
}

asio::awaitable<ArchiveReply> ArchiveApi::reply_to(std::string_view path, std::string_view query, std::string site,
                                                   std::string caller, const Feed& feed, core::Wall now) {
  if (const auto game = path.starts_with(kGame) ? analysed_game(rest(path, kGame)) : std::nullopt) {
    if (!options_.analyst || !options_.catalogue) co_return failure(404, "games are not analysed here");
    co_return co_await ask(analysis_work(*game, query, caller, feed), feed.ends_seen(now), caller);
  }
  if (path.starts_with(kGame)) {
    const auto wanted = game_name(rest(path, kGame));
    const core::LiveGame* live = wanted && wanted->extension == kPicture ? feed.find(wanted->id) : nullptr;
    if (live != nullptr) co_return co_await picture(*live, query, std::move(caller), feed, now);
    if (auto reply = from_feed(rest(path, kGame), feed, now)) co_return std::move(*reply);
  }
  if (!options_.catalogue) co_return failure(404, "nothing is archived here");
  co_return co_await ask(work_for(path, query, std::move(site), feed, now), feed.ends_seen(now), caller);
}

asio::awaitable<std::optional<PageAbout>> ArchiveApi::about(PagePath page, PageLanguage language, std::string caller,
                                                            const Feed& feed, core::Wall now) {
  const bool is_game = page.kind == PagePath::Kind::game;
  const core::LiveGame* live = is_game ? feed.find(page.game) : nullptr;
  if (live != nullptr) co_return about_game(*live, page.ply, language);
  if (!options_.catalogue) co_return PageAbout{.found = false};
  Work work = [page = std::move(page), language, is_game](Catalogue& c) -> Answer {
    return is_game ? about_game_of(c, page, language) : about_player_of(c, page.name, language);
  };
  co_return (co_await ask(std::move(work), feed.ends_seen(now), caller)).about;
}

// Drawn where it keeps nobody from a move.
asio::awaitable<ArchiveReply> ArchiveApi::picture(const core::GameStory& game, std::string_view text,
                                                  std::string caller, const Feed& feed, core::Wall now) {
  Query query(text);
  const std::optional<std::int32_t> ply = ply_of(query);
  if (auto fault = query.fault()) co_return failure(400, *fault);
  if (!options_.catalogue) co_return picture_reply(game, ply);
  Work work = [game, ply](Catalogue&) -> Answer { return picture_reply(game, ply); };
  co_return co_await ask(std::move(work), feed.ends_seen(now), caller);
}

struct ArchiveApi::Turn {
  explicit Turn(const asio::any_io_executor& thread) : wake(thread, asio::steady_timer::time_point::max()) {}
  asio::steady_timer wake;
  bool refused = false;
};

// Where too many wait, the last in the queue is refused.
asio::awaitable<ArchiveReply> ArchiveApi::ask(Work work, std::vector<core::EndsSeen> seen, const std::string& caller) {
  if (spent_.shut_out_us(caller, now()) > 0)
    co_return failure(429, "your questions took too long together; wait a while");
  if (busy_) {
    Turn mine(co_await asio::this_coro::executor);
    if (const auto last = waiting_.push(&mine, caller, false)) {
      (*last)->refused = true;
      (*last)->wake.cancel();
    }
    if (!mine.refused) co_await mine.wake.async_wait(kAwait);
    if (mine.refused) co_return failure(503, "too many questions wait; ask again");
  }
  busy_ = true;
  const core::Instant began = now();
  auto told = co_await asio::co_spawn(thread_, answer(std::move(work), std::move(seen)), asio::use_awaitable);
  if (!is_of_this_machine(caller)) spent_.charge(caller, (now() - began) * kShare, now());
  next();
  if (told) co_return std::move(*told);
  if (told.error().too_much) co_return failure(422, told.error().why);
  if (warn_) warn_(fmt::format("web: the archive does not answer: {}", told.error().why));
  co_return failure(503, "the archive does not answer");
}

// On the catalogue's thread.
asio::awaitable<Answer> ArchiveApi::answer(Work work, std::vector<core::EndsSeen> seen) {
  try {
    options_.catalogue->show_ends(std::move(seen));
    co_return work(*options_.catalogue);
  } catch (const std::exception& fault) {  // the next one must get its turn
    co_return std::unexpected(Catalogue::Fault{fault.what()});
  }
}

core::Instant ArchiveApi::now() const {
  using std::chrono::duration_cast, std::chrono::microseconds, std::chrono::steady_clock;
  if (options_.clock) return options_.clock();
  return {duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count()};
}

void ArchiveApi::next() {
  const auto first = waiting_.pop();
  busy_ = first.has_value();
  if (first) (*first)->wake.cancel();
}

}  // namespace fuhyo::net
