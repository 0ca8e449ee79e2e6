// Whole conversations with shogi-server, replayed against the core under virtual time: every client must hear the same
// lines in the same order. File format (tests/golden/wire/*.txt):
//   # max_moves=N least_time=N seed=N [begin=MS]
//                                  first line: the server's options, the seed that draws the same colours and pairs,
//                                  and when the times of the file begin, after 04:14:40 UTC of 21 November 2026; with
//                                  this the stamps of games are compared as well
//   # floodgate <group> <line>     a floodgate group, and the line of its schedule
//   <ms> <client> > <line>         sent at that time; <stamp> stands for that of the newest game
//   <client>... < <line>           heard by each of them; [EOF] is the end of the connection, <Game_Summary> is one,
//                                  whatever it says; <time> at the end is a time of day
//   <client> <- <line>             shogi-server says it, Fuhyō deliberately does not
//   <client> <+ <line>             Fuhyō says it, shogi-server does not
//   --- <title>                    everybody hangs up; a new part begins
// What was written of the games is in records/, where it was kept (wire_records.h).
// Deliberate differences are explained in server/csa/PROTOCOL.md.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <openssl/evp.h>
#include <regex>
#include <set>
#include <sstream>

#include "tests/golden/wire_records.h"
#include "tests/support/virtual_server.h"

namespace fuhyo::test {
namespace {

std::string md5_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_md5(), nullptr);
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hex += {kDigits[digest[i] >> 4], kDigits[digest[i] & 15]};
  }
  return hex;
}

std::string without_stamp(const std::string& line) {
  static const std::regex stamp(R"(\+20\d{12}\b)");
  return std::regex_replace(line, stamp, "+<stamp>");
}

class Conversation {
 public:
  explicit Conversation(const std::filesystem::path& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) take(line);
    finish_part();
    compare_records(file.parent_path() / "records" / file.filename());
  }

 private:
  void take(const std::string& line) {
    static const std::regex options(R"(# max_moves=(\d+) least_time=(\d+) seed=(\d+)(?: begin=(\d+))?)");
    static const std::regex group(R"(# floodgate (\S+) (.*))");
    static const std::regex sent(R"((\d+) (\S+) > ?(.*))");
    static const std::regex received(R"(((?:[^ <]+ )+)<([-+]?) ?(.*))");
    std::smatch m;
    if (std::regex_match(line, m, options)) {
      any_stamp_ = !m[4].matched;
      if (m[4].matched) extra_ms_ = std::stoll(m[4]);
      return set_up(std::stoi(m[1]), std::stoi(m[2]), std::stoull(m[3]));
    }
    if (std::regex_match(line, m, group)) return add_group(m[1], m[2]);
    if (line.starts_with("#")) return;
    if (line.starts_with("---")) return finish_part();
    if (std::regex_match(line, m, sent)) return say(std::stoll(m[1]), m[2], unescape(m[3]));
    if (std::regex_match(line, m, received)) {
      std::istringstream clients(m[1]);
      for (std::string client; m[2] != "-" && clients >> client;) expected_[client].push_back(unescape(m[3]));
      return;
    }
    ADD_FAILURE() << "not understood: " << line;
  }

  void set_up(int max_moves, int least_time, std::uint64_t seed) {
    core::Rules rules = test_rules();
    rules.max_moves = max_moves;
    rules.least_time_per_move_s = least_time;
    rules.seed = seed;
    rules.comments = core::Comments::live;  // as shogi-server tells them
    rules.trip_hash = md5_hex;
    server_ = std::make_unique<VirtualServer>(rules);
  }

  void add_group(const std::string& name, const std::string& line) {
    const auto file = core::floodgate::parse_schedule(line);
    ASSERT_TRUE(file.warnings.empty()) << line;
    server_->deliver(core::GroupChanged{{.game_name = name, .schedule = file.schedule, .settings = file.settings}});
  }

  void say(std::int64_t ms, const std::string& client, std::string text) {
    server_->advance_to(ms + extra_ms_);
    if (!clients_.contains(client)) {
      server_->open(client);
      clients_.insert(client);
    }
    if (const std::size_t at = text.find("<stamp>"); at != std::string::npos) text.replace(at, 7, newest_stamp());
    const bool crlf = text.ends_with("\r\n");
    if (crlf) text.resize(text.size() - 2);
    server_->say(client, text, 0, crlf);
  }

  std::string newest_stamp() const {
    std::string stamp;
    for (const core::Journaled& row : server_->journal()) {
      const auto* opened = std::get_if<core::GameOpened>(&row.fact);
      if (opened != nullptr) stamp = opened->csa_id.substr(opened->csa_id.rfind('+') + 1);
    }
    return stamp;
  }

  void finish_part() {
    constexpr std::int64_t kSilence_ms = 3'000;  // a flag may fall after the last line
    server_->advance(kSilence_ms);
    extra_ms_ += kSilence_ms;
    for (const std::string& client : clients_) {
      std::vector<std::string> heard = server_->heard(client);
      for (std::string& line : heard) {
        if (any_stamp_) line = without_stamp(line);
      }
      leave_out_summaries(heard, expected_[client]);
      leave_out_times(heard, expected_[client]);
      compare("client " + client, heard, expected_[client]);
    }
    for (const std::string& client : clients_) server_->hang_up(client);
    clients_.clear();
    expected_.clear();
  }

  // Where a summary is expected without its words, one that was heard becomes that one line.
  static void leave_out_summaries(std::vector<std::string>& heard, const std::vector<std::string>& expected) {
    constexpr std::string_view kAny = "<Game_Summary>";
    for (std::size_t i = 0; i < std::min(heard.size(), expected.size()); ++i) {
      if (expected[i] != kAny || heard[i] != "BEGIN Game_Summary") continue;
      const auto begin = heard.begin() + static_cast<std::ptrdiff_t>(i);
      const auto end = std::find(begin, heard.end(), "END Game_Summary");
      if (end == heard.end()) continue;
      *begin = kAny;
      heard.erase(begin + 1, end + 1);
    }
  }

  // A time of day is expected as <time>.
  static void leave_out_times(std::vector<std::string>& heard, const std::vector<std::string>& expected) {
    constexpr std::string_view kTime = "<time>";
    for (std::size_t i = 0; i < std::min(heard.size(), expected.size()); ++i) {
      if (!expected[i].ends_with(kTime)) continue;
      const std::string_view before = std::string_view(expected[i]).substr(0, expected[i].size() - kTime.size());
      if (heard[i].starts_with(before)) heard[i] = expected[i];
    }
  }

  // Names the first difference only: conversations are long.
  static void compare(const std::string& what, const std::vector<std::string>& heard,
                      const std::vector<std::string>& expected) {
    const auto [ours, theirs] = std::ranges::mismatch(heard, expected);
    if (ours == heard.end() && theirs == expected.end()) return;
    ADD_FAILURE() << what << ", line " << theirs - expected.begin() + 1 << ": heard "
                  << (ours == heard.end() ? "nothing" : "'" + *ours + "'") << ", expected "
                  << (theirs == expected.end() ? "nothing" : "'" + *theirs + "'");
  }

  // What shogi-server wrote of these games, where it was kept.
  void compare_records(const std::filesystem::path& file) const {
    if (exists(file)) compare("records", records_of(server_->journal()), read_records(file));
  }

  std::unique_ptr<VirtualServer> server_;
  std::int64_t extra_ms_ = 0;
  bool any_stamp_ = true;
  std::set<std::string> clients_;
  std::map<std::string, std::vector<std::string>> expected_;
};

class Wire : public testing::TestWithParam<std::string> {};

TEST_P(Wire, IsTheSameConversation) {
  Conversation(std::filesystem::path(FUHYO_SOURCE_DIR) / "tests/golden/wire" / (GetParam() + ".txt"));
}

std::vector<std::string> conversations() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(FUHYO_SOURCE_DIR "/tests/golden/wire")) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Golden, Wire, testing::ValuesIn(conversations()),
                         [](const auto& conversation) { return conversation.param; });

}  // namespace
}  // namespace fuhyo::test
