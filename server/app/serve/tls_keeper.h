// The certificate that the server shows: loaded at the start, again at each reload, and said to be running out in time.
// On one thread, its owner's.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>

#include "server/app/serve/log.h"
#include "server/net/tls_pair.h"

namespace fuhyo::app {

class TlsKeeper {
 public:
  static constexpr std::int64_t kWarnDays = 21;
  static constexpr std::chrono::hours kLookAgain{24};

  explicit TlsKeeper(Log& log) : log_(log) {}

  // Takes the pair in these files, if it is good; else the error names the file, and what there was before stays.
  std::expected<void, std::string> load(const std::filesystem::path& certificate, const std::filesystem::path& key);
  // Null until one was loaded.
  std::shared_ptr<const net::TlsPair> pair() const { return pair_; }
  // To be called now and then: says once a day that the certificate runs out, or has. Whether it looked.
  bool look();
  std::int64_t days_left() const;

 private:
  void warn();

  Log& log_;
  std::shared_ptr<const net::TlsPair> pair_;
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace fuhyo::app
