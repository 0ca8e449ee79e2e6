// Records of games as files to take away. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "engines/record/record_format.h"
#include "server/core/facts.h"

namespace fuhyo::net {

struct RecordFault {
  std::string why;
  bool unknown = false;  // there is no such format
};
// `text`: as record_text() writes it of the game (server/core/finished_game.h). `extension` names the format.
std::expected<record::RecordFile, RecordFault> record_file(const core::GameOpened& opened, const std::string& text,
                                                           std::string_view extension);

// "ev+x-60-5+a+b+20260701000000.csa", of a Game_ID of any bytes; "csa3" ends in ".csa".
std::string file_name(std::string_view csa_id, std::string_view extension);

}  // namespace fuhyo::net
