// fuhyo-nnue: a USI engine for any GUI, and the built-in player of the server.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "engines/nnue/engine.h"
#include "engines/nnue/net/untrained.h"
#include "engines/usi/loop.h"

namespace {

// "fuhyo-nnue make-untrained FILE": the network that learning begins with, as a file.
int make_untrained(const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  out << fuhyo::nnue::untrained_network() << std::flush;
  if (out) return 0;
  std::cerr << file << ": cannot be written\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 2 && arguments[0] == "make-untrained") return make_untrained(arguments[1]);
  fuhyo::nnue::Engine engine;
  return fuhyo::usi::run_program(engine, arguments, argv[0],
                                 "\nmake-untrained FILE, alone, writes the network that learning begins with.\n");
}
