// What the loops share: rounds (generations, epochs), each with a number, a folder and three stages. A stage that is
// complete is not computed again, so that the same call resumes. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace fuhyo::learn {

class RoundLoop {
 public:
  using Say = std::function<void(std::string_view line)>;

  RoundLoop(const RoundLoop&) = delete;
  RoundLoop& operator=(const RoundLoop&) = delete;

 protected:
  using Failure = std::unexpected<std::string>;
  using Done = std::expected<bool, std::string>;  // false: asked to stop

  // `kind`: what a round is called. The loop keeps references to all of them but the seed.
  RoundLoop(const std::filesystem::path& folder, std::string_view kind, std::uint64_t seed, const Say& say,
            const std::stop_token& stop)
      : stop_(stop), root_(folder), kind_(kind), seed_(seed), say_(say) {}
  virtual ~RoundLoop() = default;

  // Holds the lock of the folder while it does round 0 to `rounds` - 1.
  Done run_rounds(int rounds);

  virtual std::expected<void, std::string> prepare() = 0;  // before the first round
  virtual void begin_round() {}                            // its folder is there
  virtual Done play() = 0;
  virtual Done learn() = 0;
  virtual Done test() = 0;
  virtual std::expected<void, std::string> write_report() { return {}; }  // after each stage

  int number() const { return number_; }
  std::filesystem::path folder(int number) const;
  std::filesystem::path folder() const { return folder(number_); }
  // A seed, different for each round and each `purpose` (below 8).
  std::uint64_t seed(int number, std::uint64_t purpose) const;
  std::uint64_t seed(std::uint64_t purpose) const { return seed(number_, purpose); }
  // "epoch 3: LINE".
  void say(std::string_view line) const;
  Say teller() const {
    return [this](std::string_view line) { say(line); };
  }

  const std::stop_token& stop_;

 private:
  Done run_round();

  const std::filesystem::path& root_;
  std::string_view kind_;
  std::uint64_t seed_;
  const Say& say_;
  int number_ = 0;
};

}  // namespace fuhyo::learn
