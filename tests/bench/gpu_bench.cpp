// Whether a GPU computes networks as the reference does, and how fast: ./dev gpu [FLAG...]
//
//   --device N         the number of the GPU (default 0)
//   --nets LIST        blocks x channels (default 5x64,6x96,10x192,20x256)
//   --batches LIST     (default 1,16,64,256)
//   --threads LIST     each with a stream and batches of its own (default 1,2)
//   --rounds N         windows, of which the median counts (default 5)
//   --window-ms N      (default 500)
//
// Without a GPU it says so and ends with 77, which tests take for "skipped". A line that begins with WRONG, and exit
// code 1, is a result further from the reference than self_test.h allows.
#include <atomic>
#include <thread>

#include "engines/nn/cuda/cuda_backend.h"
#include "engines/nn/random_model.h"
#include "engines/nn/self_test.h"
#include "tests/bench/flags.h"
#include "tests/bench/measure.h"
#include "tests/bench/nn_terms.h"

namespace {

using namespace fuhyo;

struct Settings {
  int device = 0;
  std::vector<std::string> nets = {"5x64", "6x96", "10x192", "20x256"};
  std::vector<std::uint32_t> batches = {1, 16, 64, 256}, threads = {1, 2};
  int rounds = 5;
  std::chrono::milliseconds window{500};
};

Settings read(int argc, char** argv) {
  Settings settings;
  std::int64_t window_ms = settings.window.count();
  bench::take_flags(argc, argv,
                    {{"--device", settings.device},
                     {"--nets", bench::list(settings.nets)},
                     {"--batches", bench::list(settings.batches)},
                     {"--threads", bench::list(settings.threads)},
                     {"--rounds", settings.rounds},
                     {"--window-ms", window_ms}});
  settings.window = std::chrono::milliseconds(std::max<std::int64_t>(1, window_ms));
  settings.rounds = std::max(1, settings.rounds);
  return settings;
}

// ---- is it right? ---------------------------------------------------------------------------------------------------

struct Case {
  nn::Shape shape;
  std::uint32_t batch;
};

std::vector<Case> cases() {
  using enum nn::BlockKind;
  std::vector<Case> out;
  for (const nn::Activation act : {nn::Activation::relu, nn::Activation::silu}) {
    out.push_back({{.channels = 64, .blocks = 3, .activation = act}, 5});
    out.push_back({{.scalars = 119, .channels = 100, .blocks = 2, .activation = act}, 33});
    out.push_back({{.channels = 96, .blocks = 2, .kind = squeeze_excite, .activation = act, .squeeze = 12}, 7});
    out.push_back({{.channels = 96, .blocks = 2, .kind = global_pool, .activation = act}, 40});
    out.push_back({{.channels = 96, .blocks = 2, .kind = pre_activation, .activation = act}, 3});
  }
  for (std::uint32_t edge = 3; edge <= 8; ++edge) {
    out.push_back({{.edge = edge, .planes = 3, .scalars = 0, .channels = 17, .blocks = 2}, 9});
  }
  return out;
}

bool is_right(const std::shared_ptr<nn::cuda::Device>& device) {
  bool right = true;
  for (const auto& [shape, batch] : cases()) {
    const auto model = std::make_shared<const nn::Model>(nn::random_model(shape, 1));
    const auto backend = nn::cuda_backend(*model, device);
    const auto same = backend ? nn::self_test(model, **backend, bench::inputs(shape, batch))
                              : std::expected<void, std::string>(std::unexpected(backend.error()));
    if (same) continue;
    fmt::print("WRONG {}, edge {}, batch {}: {}\n", shape.name(), shape.edge, batch, same.error());
    right = false;
  }
  if (right) fmt::print("{} networks are computed as by the reference\n", cases().size());
  return right;
}

// ---- how fast is it? ------------------------------------------------------------------------------------------------

// Positions a second, of all threads together; negative after an error, which is printed.
double rate(const nn::Backend& first, std::uint32_t batch, std::uint32_t threads, std::chrono::milliseconds window) {
  std::atomic<std::uint64_t> done = 0;
  std::atomic<bool> counting = false, ended = false, failed = false;
  std::vector<std::jthread> team;
  for (std::uint32_t i = 0; i < threads; ++i) {
    team.emplace_back([&] {
      const auto backend = first.for_another_thread();
      const nn::Batch in = bench::inputs(first.shape(), batch);
      nn::Evaluations out(first.shape(), batch);
      while (!ended) {
        if (const auto result = backend->evaluate(in, out); !result) {
          if (!failed.exchange(true)) fmt::print("{}\n", result.error());
          return;
        }
        if (counting) done += batch;
      }
    });
  }
  std::this_thread::sleep_for(window / 2);  // graphs are made, clocks rise
  counting = true;
  const auto begin = bench::Clock::now();
  std::this_thread::sleep_for(window);
  const std::uint64_t count = done;
  const double seconds = bench::seconds_since(begin);
  ended = true;
  return failed ? -1 : static_cast<double>(count) / seconds;
}

int measure(const Settings& settings, const std::shared_ptr<nn::cuda::Device>& device) {
  fmt::print("{:>7} {:>6} {:>8} {:>10}\n", "net", "batch", "threads", "pos/s");
  for (const std::string& net : settings.nets) {
    const auto shape = bench::shape_of(net);
    if (!shape) {
      fmt::print(stderr, "gpu: '{}' is no network like 10x192\n", net);
      return 64;
    }
    const auto backend =
        nn::cuda_backend(nn::random_model(*shape, 1), device, *std::ranges::max_element(settings.batches));
    if (!backend) {
      fmt::print("{}\n", backend.error());
      return 1;
    }
    for (const std::uint32_t threads : settings.threads) {
      for (const std::uint32_t batch : settings.batches) {
        std::vector<double> rates;
        for (int round = 0; round < settings.rounds; ++round) {
          rates.push_back(rate(**backend, batch, threads, settings.window));
          if (rates.back() < 0) return 1;
        }
        fmt::print("{:>7} {:>6} {:>8} {:>10.0f}\n", net, batch, threads, bench::median(rates));
        std::fflush(stdout);
      }
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  std::string error;
  const auto device = nn::cuda::open_device(settings.device, error);
  if (device == nullptr) {
    fmt::print("skipped: {}\n", error);
    return 77;
  }
  fmt::print("{}, {} multiprocessors\n", device->name(), device->multiprocessors());
  if (!is_right(device)) return 1;
  return measure(settings, device);
}
