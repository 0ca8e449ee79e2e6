#include "server/app/serve/tls_keeper.h"

#include <fmt/format.h>
#include <utility>

#include "server/app/serve/host_facts.h"
#include "server/core/counted.h"

namespace fuhyo::app {

std::expected<void, std::string> TlsKeeper::load(const std::filesystem::path& certificate,
                                                 const std::filesystem::path& key) {
  auto pair = net::TlsPair::load(certificate, key, wall_now().us);
  if (!pair) return std::unexpected(pair.error());
  pair_ = std::move(*pair);
  log_.info("TLS certificate", {{"subject", pair_->subject()}, {"days_left", std::to_string(days_left())}});
  for (const std::string& warning : pair_->warnings()) log_.warning(warning);
  warn();
  next_look_ = std::chrono::steady_clock::now() + kLookAgain;
  return {};
}

bool TlsKeeper::look() {
  const auto now = std::chrono::steady_clock::now();
  if (!pair_ || now < next_look_) return false;
  next_look_ = now + kLookAgain;
  warn();
  return true;
}

std::int64_t TlsKeeper::days_left() const { return pair_ ? pair_->days_left(wall_now().us) : 0; }

void TlsKeeper::warn() {
  const std::int64_t days = days_left();
  if (days < 0) {
    log_.warning("the TLS certificate has expired: newcomers refuse it");
  } else if (days < kWarnDays) {
    log_.warning("the TLS certificate ends in " + core::counted(days, "day"));
  }
}

}  // namespace fuhyo::app
