// Records of games as files to take away. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "engines/record/record_format.h"
#include "server/core/game_facts.h"

namespace fuhyo::net {

struct RecordFault {
  std::string why;
  bool unknown = false;  // there is no such format
};
// What spectators may see of a game, for record_file().
struct ShownRecord {
  std::string text;   // as record_text() writes it of the game without its notes (server/core/games/game_story.h)
  std::string notes;  // as core::FinishedGame has them: the text is EUC-JP, which would lose characters of theirs
};
// `extension` names the format.
std::expected<record::RecordFile, RecordFault> record_file(const core::GameOpened& opened, const ShownRecord& shown,
                                                           std::string_view extension);

// "ev+x-60-5+a+b+20260701000000.csa", of a Game_ID of any bytes; "csa3" ends in ".csa".
std::string file_name(std::string_view csa_id, std::string_view extension);

}  // namespace fuhyo::net
