// fuhyo-cluster-mpi: fuhyo-cluster as rank 0 of an MPI job, whose other ranks run the engines of nodes "rank N ...".
#include <filesystem>
#include <mpi.h>
#include <string>
#include <thread>
#include <vector>

#include "engines/cluster/engine.h"
#include "engines/cluster/mpi/ranks.h"
#include "engines/usi/loop.h"
#include "engines/usi/process_self.h"

namespace {

namespace cluster = fuhyo::cluster;

int lead(const std::string& beside, int ranks, const std::vector<std::string>& arguments, const char* program) {
  cluster::mpi::Wire wire;
  cluster::mpi::Ranks others(wire, ranks);
  int result = 1;
  std::jthread usi([&] {
    {
      cluster::Engine engine(
          beside, ranks, [&](const auto& options, auto events) { return others.spawn(options, std::move(events)); });
      result = fuhyo::usi::run_program(engine, arguments, program);
    }
    others.quit();
    wire.close();
  });
  wire.run([&](const cluster::mpi::Message& message) { others.take(message); });
  usi.join();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string beside = std::filesystem::path(fuhyo::usi::own_program()).parent_path().string();
  int result = 0;
  if (rank == 0) {
    result = lead(beside, size - 1, {argv + 1, argv + argc}, argv[0]);
  } else {
    cluster::mpi::serve(beside);
  }
  MPI_Finalize();
  return result;
}
