#include "server/store/transfer/tables.h"

#include <algorithm>
#include <array>

#include "server/store/postgres/text.h"

namespace fuhyo::store {
namespace {

using enum CellType;

constexpr Column kJournal[] = {
    {"seq", integer}, {"kind", integer}, {"version", integer}, {"game", integer}, {"payload", bytes}};
constexpr Column kLive[] = {{"game", integer}, {"first_seq", integer}};
constexpr Column kGame[] = {{"game", integer},         {"csa_id", text},         {"room", text},
                            {"game_name", text},       {"rated", flag},          {"black_name", text},
                            {"black_id", text},        {"black_builtin", flag},  {"white_name", text},
                            {"white_id", text},        {"white_builtin", flag},  {"total_s", integer},
                            {"byoyomi_s", integer},    {"increment_s", integer}, {"least_s", integer},
                            {"stopwatch_s", integer},  {"max_moves", integer},   {"start_sfen", text},
                            {"opened_us", integer},    {"started_us", integer},  {"ended_us", integer},
                            {"opened_local", text},    {"ended_local", text},    {"end_kind", text},
                            {"outcome", text},         {"plies", integer},       {"end_line", text},
                            {"end_spent_s", integer},  {"end_reason", text},     {"final_board", text},
                            {"preset_plies", integer}, {"moves", text},          {"notes", bytes},
                            {"black_rate", integer},   {"white_rate", integer},  {"terms", text}};
constexpr Column kStanding[] = {
    {"key", text}, {"seq", integer}, {"kind", integer}, {"version", integer}, {"payload", bytes}};
constexpr Column kUsed[] = {{"last_game", integer}, {"last_stamp", integer}};
constexpr Column kMark[] = {{"seq", integer}, {"at_us", integer}};
constexpr Column kAudit[] = {{"seq", integer}, {"at_us", integer}, {"local_time", text}, {"who", text},
                             {"via", text},    {"act", bytes},     {"why", bytes},       {"outcome", bytes}};
constexpr Column kRating[] = {{"day", text}, {"player", text}, {"rate", real}, {"error", real}};
constexpr Column kRound[] = {{"seq", integer}, {"game_name", text}, {"number", integer},
                             {"games", text},  {"sat_out", text},   {"at_us", integer}};
constexpr Column kPlayer[] = {
    {"id", text},       {"name", text},    {"first_seen_us", integer}, {"last_seen_us", integer},
    {"games", integer}, {"wins", integer}, {"losses", integer},        {"draws", integer}};

constexpr Table kTables[] = {{.name = "journal", .columns = kJournal},
                             {.name = "live", .columns = kLive},
                             {.name = "game", .columns = kGame},
                             {.name = "standing", .columns = kStanding},
                             {.name = "used", .columns = kUsed, .single = true},
                             {.name = "mark", .columns = kMark},
                             {.name = "audit", .columns = kAudit},
                             {.name = "rating", .columns = kRating, .key = 2},
                             {.name = "round", .columns = kRound},
                             {.name = "player", .columns = kPlayer}};

bool plain(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return c > 0; });
}

}  // namespace

std::string_view to_string(CellType type) {
  static constexpr std::array<std::string_view, 5> kNames = {"integer", "flag", "real", "text", "bytes"};
  return kNames[static_cast<std::size_t>(type)];
}

std::span<const Table> tables() { return kTables; }

std::string column_names(const Table& table) {
  std::string names;
  for (const Column& column : table.columns) {
    if (!names.empty()) names += ", ";
    names += column.name;
  }
  return names;
}

bool text_before(std::string_view a, std::string_view b) {
  return plain(a) && plain(b) ? a < b : to_utf8(a) < to_utf8(b);
}

}  // namespace fuhyo::store
