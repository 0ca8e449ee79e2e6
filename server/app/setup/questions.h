// What `fuhyo setup` asks, in a terminal and in a form: six questions, each with a default, a help and a check. Pure
// but for the streams; any thread.
#pragma once

#include <expected>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/tournament/event.h"

namespace fuhyo::app {

using core::tournament::Language;

struct Phrase {
  std::string_view en, ja;
  std::string_view in(Language language) const { return language == Language::ja ? ja : en; }
};

// As many engines have a name.
inline constexpr std::size_t kMostSetupEngines = 4;

struct Answers {
  std::string name;                // of the event; letters, digits, - and _
  bool accounts = false;           // only who has one plays; else anybody
  std::string clock;               // "300-5F", as in a game name
  std::vector<int> engine_levels;  // 1 to 30, at most kMostSetupEngines
  std::string address;             // that players and browsers are told: of IPv4, or a name of this machine
  bool page = false;               // for browsers

  std::string game_name() const { return name + "-" + clock; }
  bool is_local() const;    // nobody else reaches the address
  bool has_a_name() const;  // the address is a name other than localhost
};

struct Asking {
  Language language = Language::en;
  std::vector<std::string> addresses;                     // of this machine, the best one first; not empty
  bool engines = false;                                   // ours are there
  bool yes = false;                                       // the defaults, without a question
  std::map<std::string, std::string, std::less<>> given;  // answers by their flags, without dashes: not asked for
};

struct Question {
  std::string_view flag, takes;  // "page", "on|off"
  Phrase asked, help, wrong;
  std::string initial;  // the answer where none is given
  // False: it is none.
  bool (*take)(const std::string& text, const Asking& asking, Answers& answers);
};
// In their order. What is given, and this machine, decide what is initial.
std::vector<Question> questions_of(const Asking& asking);

// The error is a sentence: an answer that was given is none, or there are no more lines.
std::expected<Answers, std::string> ask_for_answers(const Asking& asking, std::istream& in, std::ostream& out);

}  // namespace fuhyo::app
