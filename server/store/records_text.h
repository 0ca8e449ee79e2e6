// The text of shogi-server's record files and of its 00LIST, byte for byte: LF, EUC-JP. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "server/core/facts.h"

namespace fuhyo::store {

// From "V2" to the start position, the ratings line and the moves of a buoy.
std::string record_head(const core::GameOpened& opened);
std::string record_move(const core::MoveMade& made);  // "+7776FU\nT1\n" and the comment
std::string record_note(const core::RecordNote& note);
std::string record_paused(const core::GamePaused& paused);  // a comment: "'* paused by host: power cut"
std::string record_resumed(const core::GameResumed& resumed);
// What these two say, without the mark of a comment.
std::string pause_note(const core::GamePaused& paused);
std::string resume_note(const core::GameResumed& resumed);
std::string record_rejected(const core::GameRejected& rejected);
// The end line, the final board, the summary (not of an aborted game) and the end time.
std::string record_end(const core::GameOpened& opened, const core::GameEnded& ended);

// Whether the game has a line in 00LIST: it was played in the main room and came to a result.
bool is_listed(const core::GameOpened& opened, const core::GameEnded& ended);
std::string list_line(const core::GameOpened& opened, const core::GameEnded& ended, std::string_view record_path);
// "00LIST.floodgate" or "00LIST.others": where the line stands beside 00LIST.
std::string_view second_list(const core::GameOpened& opened);

}  // namespace fuhyo::store
