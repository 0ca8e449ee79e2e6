// The text of shogi-server's record files and of its 00LIST, byte for byte: LF, EUC-JP. What %%MONITOR2ON shows is the
// same text. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/core/facts.h"

namespace fuhyo::core {

// From "V2" to the start position, the ratings line and the moves of a buoy.
std::string record_head(const GameOpened& opened);
std::string record_move(const MoveMade& made);   // "+7776FU\nT1\n" and the comment
std::string move_comment(const MoveMade& made);  // its line; empty: there is none
// Puts it into the record of a game that runs, behind its move and what was said of that before.
void add_comment(std::string& record, const CommentAdded& said);
std::string record_note(const RecordNote& note);
std::string record_comment(std::string_view text);          // of a player or the server: raw bytes
inline constexpr std::string_view kDeferred = "Deferred ";  // before a line that a player sent out of turn
inline bool is_deferred(std::string_view note) { return note.starts_with(kDeferred); }
// What the server itself says of a pause or a suspension: " paused by host: power cut". Nothing of other facts.
std::optional<std::string> server_note(const Fact& fact);
// What any fact adds to the record of a game that runs: its move, its note, or the server's note as a comment.
std::string record_lines(const Fact& fact);
std::string record_rejected(const GameRejected& rejected);
// The end line, the final board, the summary (not of an aborted game) and the end time.
std::string record_end(const GameOpened& opened, const GameEnded& ended);

// Whether the game has a line in 00LIST: it is no demonstration and came to a result.
bool is_listed(const GameOpened& opened, const GameEnded& ended);
std::string list_line(const GameOpened& opened, const GameEnded& ended, std::string_view record_path);
// "00LIST.floodgate" or "00LIST.others": where the line stands beside 00LIST.
std::string_view second_list(const GameOpened& opened);
// The second part of "<event>+<game name>+<black>+<white>+<time stamp>"; empty without one.
std::string game_name_of(std::string_view csa_id);

}  // namespace fuhyo::core
