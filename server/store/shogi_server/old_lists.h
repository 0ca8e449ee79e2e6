// The lists of results of an old server (00LIST*), put together: each game once, in the order of ends. One thread.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/core/civil_time.h"
#include "server/store/batch.h"
#include "server/store/file_fault.h"

namespace fuhyo::store {

class OldLists {
 public:
  struct Line {
    std::string id;    // Game_ID
    std::string text;  // with the line end
  };

  explicit OldLists(core::TimeZone zone) : zone_(std::move(zone)) {}

  // Of a file that is no list at all the first faults are named, and how many more there are.
  void read(std::string_view text, const std::string& file, std::vector<FileFault>& faults);
  bool has(const std::string& id) const { return places_.contains(id); }
  const std::vector<Line>& lines() const { return lines_; }
  // The game of a line, without its moves.
  std::expected<FinishedGame, std::string> game(const Line& line) const;

  void add(const std::string& id, std::string text);                  // that of a record that no list has
  void set_record(const std::string& id, const std::string& record);  // the path that its line states from now on
  void sort();
  // What `list` lacks of those lines that `belongs` takes.
  std::vector<const Line*> missing(std::string_view list, const std::function<bool(const std::string&)>& belongs) const;

 private:
  core::TimeZone zone_;
  std::vector<Line> lines_;
  std::unordered_map<std::string, std::size_t> places_;  // in lines_, by Game_ID
};

}  // namespace fuhyo::store
