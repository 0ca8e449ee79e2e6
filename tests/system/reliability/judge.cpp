// Legal games and their judge, by the naive rules of tests/oracle, for programs that are not written in C++:
//
//   reliability_judge lines COUNT PLIES SEED   COUNT random games of at most PLIES moves from the start position, one a
//                                              line; none ends by a fourth repetition
//   reliability_judge check                    reads "<SFEN> TAB <move> <move> ..." a line; answers each with "ok",
//                                              "illegal <ply> <move>" or "over <ply>": a move after a repetition
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/referee.h"

namespace fuhyo {
namespace {

constexpr std::string_view kStart = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

std::string random_game(std::size_t plies, std::mt19937& random) {
  sim::Referee referee{std::string(kStart)};
  std::string game;
  for (std::size_t ply = 0; ply < plies; ++ply) {
    const std::vector<std::string> moves = referee.legal_moves();
    if (moves.empty()) break;
    const std::string& move = moves[random() % moves.size()];
    if (referee.make(move) != oracle::Ending::none) break;
    game += (game.empty() ? "" : " ") + move;
  }
  return game;
}

std::string judged(const std::string& sfen, std::string_view moves) {
  sim::Referee referee(sfen);
  bool over = false;
  int ply = 0;
  std::istringstream words{std::string(moves)};
  for (std::string move; words >> move;) {
    ++ply;
    if (over) return fmt::format("over {}", ply);
    if (!referee.allows(move)) return fmt::format("illegal {} {}", ply, move);
    over = referee.make(move) != oracle::Ending::none;
  }
  return "ok";
}

int check_lines() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      fmt::print(stderr, "no TAB in: {}\n", line);
      return EXIT_FAILURE;
    }
    fmt::print("{}\n", judged(line.substr(0, tab), std::string_view(line).substr(tab + 1)));
  }
  return EXIT_SUCCESS;
}

int print_games(unsigned long count, unsigned long plies, unsigned long seed) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(seed));
  for (; count > 0; --count) fmt::print("{}\n", random_game(plies, random));
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace fuhyo

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "check") return fuhyo::check_lines();
  if (words.size() == 4 && words[0] == "lines") {
    return fuhyo::print_games(std::stoul(words[1]), std::stoul(words[2]), std::stoul(words[3]));
  }
  fmt::print(stderr, "reliability_judge lines COUNT PLIES SEED | check\n");
  return 64;
}
