// fuhyo-mix: a USI engine for any GUI in which several USI engines decide together.
#include <filesystem>
#include <string>
#include <vector>

#include "engines/mix/engine.h"
#include "engines/usi/loop.h"
#include "engines/usi/process_self.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  fuhyo::mix::Engine engine(std::filesystem::path(fuhyo::usi::own_program()).parent_path().string());
  return fuhyo::usi::run_program(engine, arguments, argv[0]);
}
