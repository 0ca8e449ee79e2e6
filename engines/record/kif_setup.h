// The start position of a KIF or KI2 file: the name of a handicap ("手合割：二枚落ち"), or a board with hands (BOD:
// "| ・v歩 ・ ...|一", "先手の持駒：飛二　歩十八"). One object per game; the functions are pure.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/setup.h"

namespace fuhyo::record {

// A start position with a name: White lacks pieces and moves first (平手: nobody lacks any, and Black does). Which
// lance 三枚落ち is about no rule says; the one of 香落ち is taken, as json-kifu-format's board does.
struct KifHandicap {
  std::string_view name;    // "平手", "香落ち", ... "十枚落ち"
  std::string_view preset;  // what JKF calls it: "HIRATE", "KY", ... "10"
  Setup setup;
};
const KifHandicap* handicap_by_name(std::string_view name);      // nullptr: there is none of that name
const KifHandicap* handicap_by_preset(std::string_view preset);  // likewise
const KifHandicap* handicap_of(const Setup& setup);              // likewise; 右香落ち and 香落ち are told apart
// One of them in which White lacks pieces: the sides are called 下手 and 上手.
bool is_handicap(const Setup& setup);

class KifSetupReader {
 public:
  // Each returns the defect, if there is one.
  std::optional<std::string> handicap(std::string_view name);                  // その他 needs a board
  std::optional<std::string> rank(std::string_view line);                      // "| ・v歩 ... ・|一", from the top down
  std::optional<std::string> hand(shogi::Color color, std::string_view list);  // "飛二　歩十八", "なし"
  void turn(shogi::Color color) { turn_ = color; }

  // The position, if it is made of one set of pieces. A board counts more than a name. Who moves first, unless said:
  // White in a handicap of that name without a board, else Black.
  std::expected<Setup, std::string> finish() const;

 private:
  Setup board_{};
  std::optional<Setup> named_;
  std::optional<shogi::Color> turn_;
  int ranks_ = 0;
  bool hands_ = false;
  std::string without_squares_;  // a handicap whose name does not say what is missing
};

// Hands, board and side to move as lines of a file, with LF.
std::string kif_board(const Setup& setup);

}  // namespace fuhyo::record
