// A commentator that finds its own words, and answers questions: the interface between the web and whoever does. It
// hears what spectators have seen and nothing else; of what it has not spoken the built-in words stand (words.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/core/commentary/words.h"

namespace fuhyo::core {

// Of somebody in the chat of a room, raw bytes.
struct Question {
  std::string room, name, text;
};

class Commentator {
 public:
  virtual ~Commentator() = default;

  // The newest turn of a game; whether anybody watches. Any thread; returns at once.
  virtual void hear(const Turn& turn, bool watched) = 0;
  // Answers, once, under its name, of the game that moved last in the room. Any thread; returns at once, and the answer
  // comes on any thread.
  virtual void ask(Question question, std::function<void(std::string name, std::string text)> answer) = 0;
  // What it has said of a game, in one of the languages; the other one is empty. Any thread; may read a file.
  virtual std::vector<Told> said(GameId game) = 0;
  // Who is told of a game of which it has just said something, on its own thread; empty: nobody any more.
  virtual void tell(std::function<void(GameId game, std::int32_t ply)> listener) = 0;
};

}  // namespace fuhyo::core
