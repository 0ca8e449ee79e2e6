// fuhyo-nnue: a USI engine for any GUI, and the built-in player of the server.
#include <string>
#include <vector>

#include "engines/nnue/engine.h"
#include "engines/usi/loop.h"

int main(int argc, char** argv) {
  fuhyo::nnue::Engine engine;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return fuhyo::usi::run_program(engine, arguments);
}
