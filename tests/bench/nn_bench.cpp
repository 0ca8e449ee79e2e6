// How fast networks are evaluated, beside what the machine can do: ./dev bench nn [FLAG...]
//
//   --simd SET         avx2, avx512, ... (default: the fastest here)
//   --nets LIST        blocks x channels (default 5x64,6x96,10x192)
//   --batches LIST     (default 1,4,8,16)
//   --threads LIST     each with a batch of its own (default 1,2)
//   --rounds N         windows of each kind, one after the other; the median counts (default 9)
//   --window-ms N      (default 150)
//   --onednn 0         without it where it was found when this was built
//
// A round is a window of multiplications and additions in registers, one of our own network, and one of oneDNN: what
// else the machine does meanwhile slows all three. Seconds are those that a thread had a core for. Columns:
//   pos/s     positions a second, of all threads together
//   % peak    of the rate of the window before, of the products that Winograd leaves (and nothing else)
//   direct    times what the rate of the window before allows without Winograd
//   oneDNN    pos/s of oneDNN, and ours divided by it
#include <memory>
#include <thread>

#include "engines/nn/choice.h"
#include "engines/nn/cpu_backend.h"
#include "engines/nn/random_model.h"
#include "tests/bench/flags.h"
#include "tests/bench/measure.h"
#include "tests/bench/nn_onednn.h"
#include "tests/bench/nn_peak.h"
#include "tests/bench/nn_terms.h"

namespace {

using namespace fuhyo;
using bench::median;

struct Settings {
  std::string simd = "auto";
  std::vector<std::string> nets = {"5x64", "6x96", "10x192"};
  std::vector<std::uint32_t> batches = {1, 4, 8, 16}, threads = {1, 2};
  int rounds = 9;
  std::chrono::milliseconds window{150};
  int onednn = 1;
};

// What all jobs do together in a second, each on a thread of its own. A job does one piece of work and says how much
// that was.
using Job = std::function<double()>;
double rate(const std::vector<Job>& jobs, std::chrono::milliseconds window) {
  std::vector<double> rates(jobs.size());
  const auto run = [&](std::size_t i) {
    const double begin = bench::thread_seconds();
    double done = 0, seconds = 0;
    while (seconds < std::chrono::duration<double>(window).count()) {
      done += jobs[i]();
      seconds = bench::thread_seconds() - begin;
    }
    rates[i] = done / seconds;
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < jobs.size(); ++i) others.emplace_back(run, i);
  run(0);
  others.clear();
  double sum = 0;
  for (const double one : rates) sum += one;
  return sum;
}

// Additions and multiplications for one position, if a 3x3 convolution takes `products` of them for a pair of channels.
double flops(const nn::Shape& shape, double products) {
  const double c = shape.channels, squares = shape.squares();
  const double trunk = products * c * (shape.planes + 2.0 * shape.blocks * c);
  const double heads = squares * c * (shape.policy_planes + shape.value_planes);
  return 2 * (trunk + heads + squares * shape.value_planes * shape.value_hidden);
}

std::vector<Job> own_jobs(const nn::Backend& backend, unsigned batch, unsigned threads) {
  struct Work {
    std::unique_ptr<nn::Backend> backend;
    nn::Batch in;
    nn::Evaluations out;
  };
  std::vector<Job> jobs;
  for (unsigned t = 0; t < threads; ++t) {
    auto work = std::make_shared<Work>(
        Work{backend.for_another_thread(), bench::inputs(backend.shape(), batch), {backend.shape(), batch}});
    jobs.emplace_back([work, batch] {
      (void)work->backend->evaluate(work->in, work->out);
      return static_cast<double>(batch);
    });
  }
  return jobs;
}

void measure(const Settings& settings, const nn::Kernels& kernels, const nn::Backend& backend, unsigned batch,
             unsigned threads) {
  const nn::Shape& shape = backend.shape();
  const std::vector<Job> own = own_jobs(backend, batch, threads);
  const std::vector<Job> peak(threads, [&] { return bench::peak_flops(kernels.name); });
  std::vector<Job> theirs;
  if (settings.onednn != 0) theirs = bench::onednn_jobs(shape, batch, threads);
  for (const Job& job : own) job();
  for (const Job& job : theirs) job();
  std::vector<double> speeds, parts, direct, others, ratios;
  for (int round = 0; round < settings.rounds; ++round) {
    const double most = rate(peak, settings.window), speed = rate(own, settings.window);
    speeds.push_back(speed);
    parts.push_back(100 * speed * flops(shape, 225) / most);
    direct.push_back(speed * flops(shape, 729) / most);
    if (theirs.empty()) continue;
    others.push_back(rate(theirs, settings.window));
    ratios.push_back(speed / others.back());
  }
  fmt::print("{:>7} {:>6} {:>8} {:>8.0f} {:>7.1f} {:>7.2f}", fmt::format("{}x{}", shape.blocks, shape.channels), batch,
             threads, median(speeds), median(parts), median(direct));
  if (!others.empty()) fmt::print(" {:>8.0f} {:>6.2f}", median(others), median(ratios));
  fmt::print("\n");
  std::fflush(stdout);
}

Settings read(int argc, char** argv) {
  Settings settings;
  std::int64_t window_ms = settings.window.count();
  bench::take_flags(argc, argv,
                    {{"--simd", settings.simd},
                     {"--nets", bench::list(settings.nets)},
                     {"--batches", bench::list(settings.batches)},
                     {"--threads", bench::list(settings.threads)},
                     {"--rounds", settings.rounds},
                     {"--window-ms", window_ms},
                     {"--onednn", settings.onednn}});
  settings.window = std::chrono::milliseconds(std::max<std::int64_t>(1, window_ms));
  settings.rounds = std::max(1, settings.rounds);
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  const auto kernels = nn::choose_kernels(settings.simd);
  if (!kernels) {
    fmt::print(stderr, "{}\n", kernels.error());
    return 64;
  }
  fmt::print("{} kernels; {}\n", (*kernels)->name, bench::start_onednn((*kernels)->name));
  fmt::print("{:>7} {:>6} {:>8} {:>8} {:>7} {:>7} {:>8} {:>6}\n", "net", "batch", "threads", "pos/s", "% peak",
             "direct", "oneDNN", "ours/");
  for (const std::string& net : settings.nets) {
    const auto shape = bench::shape_of(net);
    if (!shape) {
      fmt::print(stderr, "nn: '{}' is no network like 10x192\n", net);
      return 64;
    }
    const auto backend = nn::cpu_backend(nn::random_model(*shape, 1), **kernels);
    for (const unsigned threads : settings.threads) {
      for (const unsigned batch : settings.batches) measure(settings, **kernels, *backend, batch, threads);
    }
  }
}
