#include "engines/learn/loop/round_loop.h"

#include <fmt/format.h>

#include "engines/learn/data/work_folder.h"
#include "engines/match/tune/random.h"

namespace fuhyo::learn {

RoundLoop::Done RoundLoop::run_rounds(int rounds) {
  const auto lock = take_folder(root_, "run.lock");
  if (!lock) return Failure(lock.error());
  if (auto ready = prepare(); !ready) return Failure(ready.error());
  for (number_ = 0; number_ < rounds; ++number_) {
    const auto done = run_round();
    if (!done || !*done) return done;
  }
  return true;
}

RoundLoop::Done RoundLoop::run_round() {
  if (auto made = make_folder(folder()); !made) return Failure(made.error());
  begin_round();
  for (const auto stage : {&RoundLoop::play, &RoundLoop::learn, &RoundLoop::test}) {
    auto done = (this->*stage)();
    if (auto written = write_report(); !written) return Failure(written.error());
    if (!done || !*done) return done;
  }
  return true;
}

std::filesystem::path RoundLoop::folder(int number) const { return root_ / fmt::format("{}-{}", kind_, number); }

std::uint64_t RoundLoop::seed(int number, std::uint64_t purpose) const {
  return match::tune::Random(seed_, static_cast<std::uint64_t>(number) * 8 + purpose).bits() >> 1U;
}

void RoundLoop::say(std::string_view line) const {
  if (say_) say_(fmt::format("{} {}: {}", kind_, number_, line));
}

}  // namespace fuhyo::learn
