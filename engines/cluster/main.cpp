// fuhyo-cluster: a USI engine for any GUI in which engines on several machines think together.
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "engines/cluster/check.h"
#include "engines/cluster/engine.h"
#include "engines/usi/loop.h"
#include "engines/usi/process_self.h"

namespace {

constexpr const char* kHelp =
    "\nEngines are named by the option ClusterFile (engines/cluster/CLUSTER.md has an example).\n\n"
    "  check FILE            whether all of them start, and how fast they are\n"
    "  --mpi [COMMAND ...]   the same engine where mpirun starts it; its other processes are the nodes\n";

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string beside = std::filesystem::path(fuhyo::usi::own_program()).parent_path().string();
  if (arguments.size() == 2 && arguments[0] == "check") return fuhyo::cluster::check(arguments[1], beside, std::cout);
  if (!arguments.empty() && arguments[0] == "--mpi") {
    const std::string why = fuhyo::usi::become(beside + "/fuhyo-cluster-mpi", {arguments.begin() + 1, arguments.end()});
    std::cerr << why << " (it is built where MPI is found)\n";
    return 1;
  }
  fuhyo::cluster::Engine engine(beside);
  return fuhyo::usi::run_program(engine, arguments, argv[0], kHelp);
}
