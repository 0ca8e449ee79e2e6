// From a file to a book of whichever format it has.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engines/book/book.h"

namespace fuhyo::book {

struct Opened {
  std::unique_ptr<Book> book;
  std::vector<std::string> notes;  // for people, what is odd about it
};

// The format is what the file says: .ybb by its first bytes, Apery's by the name's end ".bin", YaneuraOu's text
// otherwise. `on_the_fly`: searched on disk, if it is sorted; else it is read, and a note says so. An error names the
// file, and the line where there is one. Throws std::bad_alloc.
std::expected<Opened, std::string> open_book(const std::filesystem::path& path, bool on_the_fly);

}  // namespace fuhyo::book
