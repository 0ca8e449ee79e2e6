// What a server writes of its games, as lines that can be compared: every record and its line of 00LIST, by Game_ID,
// without times of day and paths.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "server/core/facts.h"

namespace fuhyo::test {

std::string unescape(std::string text);  // "\x0d" -> CR

std::vector<std::string> records_of(const std::vector<core::Journaled>& journal);

// A file of such lines as shogi-server wrote them: without those that Fuhyō does not write ("<- " before them), with
// those that only Fuhyō writes ("<+ "). Bytes other than ASCII are written \xNN there. Empty where there is no such
// file.
std::vector<std::string> read_records(const std::filesystem::path& file);

}  // namespace fuhyo::test
