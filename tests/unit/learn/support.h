// What tests of learning share.
#pragma once

#include <algorithm>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engines/learn/data/game_file.h"
#include "engines/shogi/position.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/expected.h"
#include "tests/support/scored_games.h"
#include "tests/support/shell_test.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::learn {

namespace fs = std::filesystem;
using ::fuhyo::test::error_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Games = std::vector<record::ScoredGame>;

// The value that a test goes on with. An error ends the test, which shows it.
template <class Value>
Value must(std::expected<Value, std::string> result) {
  if (!result) throw std::runtime_error(result.error());
  if constexpr (!std::is_void_v<Value>) return *std::move(result);
}

inline shogi::Position position_of(std::string_view sfen) { return shogi::Position::from_sfen(sfen).value(); }
inline shogi::Move move_of(std::string_view usi) { return shogi::parse_usi_move(usi).value(); }

// With a bit of one byte changed.
inline std::string flipped(std::string bytes, std::size_t at, int bit = 1) {
  bytes[at] = static_cast<char>(bytes[at] ^ bit);
  return bytes;
}

inline std::stop_token stopped() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

// Keeps what is said.
inline auto into(std::vector<std::string>& lines) {
  return [&lines](std::string_view line) { lines.emplace_back(line); };
}

// Stops a run at its second line of progress, gone on with at its third, and so on to its end; how often it was called.
template <class Options, class Run>
int run_in_pieces(Options asked, Run run) {
  for (int calls = 1; calls < 100; ++calls) {
    std::stop_source stop;
    int lines = 0;
    asked.say = [&](std::string_view) {
      if (++lines > calls) stop.request_stop();
    };
    if (must(run(asked, stop.get_token())).complete) return calls;
  }
  throw std::runtime_error("a run that does not come to its end");
}

// ---- games ----------------------------------------------------------------------------------------------------------

// Everything that is left in a reader, and the error at which it stopped.
template <class Reader>
auto drain(Reader& reader, std::string* error = nullptr) {
  auto next = reader.next();
  std::vector<typename decltype(next)::value_type::value_type> all;
  for (; next && *next; next = reader.next()) all.push_back(**std::move(next));
  if (error != nullptr) *error = error_of(next);
  return all;
}

inline void append_all(GameWriter& writer, const Games& games) {
  for (const record::ScoredGame& game : games) must(writer.append(game));
}

inline void write_games(const fs::path& file, const Games& games) {
  auto writer = must(GameWriter::create(file, "by a test"));
  append_all(writer, games);
  must(writer.flush());
}

inline void expect_same(const Games& a, const Games& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(test::same(a[i], b[i])) << i;
}

// ---- fixtures -------------------------------------------------------------------------------------------------------

class FolderTest : public testing::Test {
 protected:
  ::fuhyo::test::TemporaryFolder folder_;
};

// Commands of `fuhyo-learn` in a folder of their own.
class LearnCommand : public ::fuhyo::test::ShellTest {
 protected:
  int run(const std::string& arguments) { return shell(fmt::format("'{}' {}", FUHYO_LEARN, arguments)); }
  // Its exit code, and what it says.
  void expect(int code, const std::string& arguments, const testing::Matcher<std::string>& said = testing::_) {
    EXPECT_EQ(run(arguments), code) << arguments << ": " << said_;
    EXPECT_THAT(said_, said) << arguments;
  }
};

}  // namespace fuhyo::learn
