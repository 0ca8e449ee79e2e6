// A USI engine made of bad manners. fake_engine MODE:
//   good      answers every "go" from a list of rook moves that never touch anything
//   choosy    the same, and declares an option, Strength, from 1 to 9
//   crash     ends by abort() at the second "go" of its life
//   hang      says nothing after "go", not even to "stop"
//   late      answers only to "stop"
//   illegal   answers with a move that no piece can make
//   same      answers with one move for ever, and tells a score before it; "again" does so without a word
//   malformed answers with something that is no move
//   none      answers with "(none)"
//   muted     closes its output at the first "go"
//   unfit     tells an error after "isready", and ends with exit status 1
//   nan       evaluations that are no numbers, or too large for any, before good answers
//   garbage   bytes that are no USI before, between and after good answers
//   double    answers every "go" twice
//   flood     prints without end after "go"
//   longline  prints a line that does not end after "go"
//   deaf      never says "usiok"
//   unready   never says "readyok"
//   exit3     ends at once with exit status 3
//   shortlived  ends with exit status 4 when a game is over
#include <cstdlib>
#include <iostream>
#include <string>
#include <unistd.h>

#include "tests/support/shuffling_rook.h"

namespace {

using fuhyo::test::shuffle;

void say(const std::string& text) { std::cout << text << std::endl; }

std::string answer_in(const std::string& mode, const std::string& position) {
  if (mode == "illegal") return "5e5d";
  if (mode == "malformed") return "7g7f7e+";
  if (mode == "none") return "(none)";
  return mode == "same" || mode == "again" ? "1g1f" : shuffle(position);
}

void answer(const std::string& mode, const std::string& position, int searches) {
  if (mode == "crash" && searches == 2) std::abort();
  if (mode == "muted") ::close(STDOUT_FILENO);
  if (mode == "hang" || mode == "late" || mode == "muted") return;
  if (mode == "flood") {
    while (std::cout) std::cout << "info depth 1 score cp 0 pv 7g7f\n";
  }
  if (mode == "longline") {
    while (std::cout) std::cout << "xxxxxxxxxxxxxxxx";
  }
  if (mode == "garbage") std::cout << "\x80\xff\x01 info info\nbestmo ve\ninfo score cp pv pv\n\n\r\n";
  const std::string move = answer_in(mode, position);
  if (mode == "nan") {
    say("info depth 1 score cp nan pv " + move);
    say("info depth nan score cp 99999999999999999999 pv " + move);
    say("info depth 2 score mate -inf pv " + move);
    say("info depth 3 score cp 2147483647 pv " + move);
  }
  if (mode != "nan" && mode != "again") say("info depth 3 score cp 42 nodes 100 pv " + move);
  say("bestmove " + move);
  if (mode == "double") say("bestmove " + move);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "good";
  if (mode == "exit3") return 3;
  std::string line, position;
  int searches = 0;
  bool owed = false;
  while (std::getline(std::cin, line)) {
    if (line == "usi" && mode != "deaf") {
      say("id name Fake " + mode);
      if (mode == "choosy") say("option name Strength type spin default 5 min 1 max 9");
      say("usiok");
    }
    if (line == "isready" && mode == "unfit") {
      say("info string Error! no network");
      return 1;
    }
    if (line == "isready" && mode != "unready") say("readyok");
    if (line.starts_with("position ")) position = line;
    if (line.starts_with("go")) {
      owed = mode == "late" || line.find("ponder") != std::string::npos || line.find("infinite") != std::string::npos;
      if (!owed) answer(mode, position, ++searches);
    }
    if (line == "stop" && owed && mode != "hang") {
      owed = false;
      say("bestmove " + shuffle(position));
    }
    if (line == "ponderhit") {
      owed = false;
      answer(mode, position, ++searches);
    }
    if (mode == "shortlived" && line.starts_with("gameover")) return 4;
    if (line == "quit") return 0;
  }
  return 0;
}
