// The text of shogi-server's record files and of its 00LIST, byte for byte: LF, EUC-JP. What %%MONITOR2ON shows is the
// same text. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "server/core/facts.h"

namespace fuhyo::core {

// From "V2" to the start position, the ratings line and the moves of a buoy.
std::string record_head(const GameOpened& opened);
std::string record_move(const MoveMade& made);  // "+7776FU\nT1\n" and the comment
std::string record_note(const RecordNote& note);
inline constexpr std::string_view kDeferred = "Deferred ";  // before a line that a player sent out of turn
std::string record_paused(const GamePaused& paused);        // a comment: "'* paused by host: power cut"
std::string record_resumed(const GameResumed& resumed);
std::string record_suspended(const GameSuspended& suspended);
std::string record_continued(const GameContinued& continued);
// What these two say, without the mark of a comment.
std::string pause_note(const GamePaused& paused);
std::string resume_note(const GameResumed& resumed);
std::string suspend_note(const GameSuspended& suspended);
std::string continue_note(const GameContinued& continued);
std::string record_rejected(const GameRejected& rejected);
// The end line, the final board, the summary (not of an aborted game) and the end time.
std::string record_end(const GameOpened& opened, const GameEnded& ended);

// Whether the game has a line in 00LIST: it is no demonstration and came to a result.
bool is_listed(const GameOpened& opened, const GameEnded& ended);
std::string list_line(const GameOpened& opened, const GameEnded& ended, std::string_view record_path);
// "00LIST.floodgate" or "00LIST.others": where the line stands beside 00LIST.
std::string_view second_list(const GameOpened& opened);

}  // namespace fuhyo::core
