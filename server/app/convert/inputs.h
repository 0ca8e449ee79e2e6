// The records that `fuhyo convert` is told of: files, folders of them, standard input; plain, compressed or in
// archives. Reads files; one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engines/record/record_format.h"

namespace fuhyo::app {

// By the ending of its name: ".kif".
std::optional<record::RecordFormat> record_format_of(const std::filesystem::path& file);

struct RecordInput {
  std::string name;             // "FILE", "ARCHIVE:ENTRY", "standard input"
  std::filesystem::path place;  // of what is made of it, below a folder, without an ending: never out of that folder
  std::string bytes;
};

struct InputTakers {
  std::function<void(const RecordInput&)> take;
  std::function<void(const std::string&)> fault;  // "FILE: why"; the others come all the same
};

// Each of them, in the order of their names below a folder. Of folders and archives those whose names are a record's,
// also with ".gz", ".xz", ".bz2" or ".zst" behind; what is named itself may be called as it likes.
void each_input(std::span<const std::string> names, const InputTakers& takers);

}  // namespace fuhyo::app
