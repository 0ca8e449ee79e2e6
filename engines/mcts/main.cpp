// fuhyo-mcts: a USI engine for any GUI that plays by a policy and value network.
#include <string>
#include <vector>

#include "engines/mcts/engine/engine.h"
#include "engines/usi/loop.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  fuhyo::mcts::Engine engine;
  return fuhyo::usi::run_program(engine, arguments, argv[0]);
}
