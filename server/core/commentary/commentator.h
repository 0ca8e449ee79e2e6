// Who comments on games and answers questions: the interface between the web and whoever does. It hears what spectators
// have seen and nothing else; of what it has not spoken the built-in words stand (words.h).
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
  using Answer = std::function<void(std::string name, std::string text)>;
  using Listener = std::function<void(GameId game, std::int32_t ply)>;
  virtual ~Commentator() = default;

  // Whether it finds words of its own, later than the built-in ones. Any thread.
  virtual bool finds_words() const = 0;

  // The newest turn of a game; whether anybody watches. Any thread; returns at once.
  virtual void hear(const Turn& turn, bool watched) = 0;
  // Answers, once, under its name, of the game that moved last in the room. Any thread; returns at once, and the answer
  // comes on any thread.
  virtual void ask(Question question, Answer answer) = 0;
  // What it has said of a game, in one of the languages; the other one is empty. Any thread; may read a file.
  virtual std::vector<Told> said(GameId game) = 0;
  // Who is told of a game of which it has just said something, on its own thread; empty: nobody any more.
  virtual void tell(Listener listener) = 0;
};

// What is said of a game: commentary_of(), and its own words in place of these.
std::vector<Told> commentary_of(const GameStory& game, bool comments, Commentator& commentator, std::size_t ply = 0);

}  // namespace fuhyo::core
