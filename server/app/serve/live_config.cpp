#include "server/app/serve/live_config.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace fuhyo::app {
namespace {

template <class T>
struct Reloadable {
  std::string_view key;
  T ServeConfig::* member;
};

// What can change while the server runs; the others need a restart.
constexpr std::tuple kReloadable{Reloadable{"accounts", &ServeConfig::accounts},
                                 Reloadable{"admin-networks", &ServeConfig::admin_networks},
                                 Reloadable{"duplicate-login", &ServeConfig::takeover},
                                 Reloadable{"entry", &ServeConfig::entry},
                                 Reloadable{"event", &ServeConfig::event},
                                 Reloadable{"exempt", &ServeConfig::exempt},
                                 Reloadable{"least-time-per-move", &ServeConfig::least_time_per_move_s},
                                 Reloadable{"loss-grace", &ServeConfig::loss_grace_s},
                                 Reloadable{"max-moves", &ServeConfig::max_moves},
                                 Reloadable{"operator", &ServeConfig::operators},
                                 Reloadable{"reserved-names", &ServeConfig::reserved_names},
                                 Reloadable{"resume", &ServeConfig::resume},
                                 Reloadable{"resume-times", &ServeConfig::times_as_played},
                                 Reloadable{"resume-window", &ServeConfig::resume_window_s},
                                 Reloadable{"tls-cert", &ServeConfig::tls_cert},
                                 Reloadable{"tls-key", &ServeConfig::tls_key},
                                 Reloadable{"worker", &ServeConfig::workers}};

bool is_reloadable(std::string_view key) {
  return std::apply([key](const auto&... each) { return ((each.key == key) || ...); }, kReloadable);
}

}  // namespace

LiveConfig::LiveConfig(Resolved resolved, Reread reread)
    : config_(std::move(resolved.config)), said_(std::move(resolved.said)), reread_(std::move(reread)) {}

std::expected<LiveConfig::Change, std::string> LiveConfig::reread() {
  auto read = reread_();
  if (!read) {
    std::ranges::replace(read.error(), '\n', ';');
    return std::unexpected(std::move(read.error()));
  }
  Change change;
  for (auto& [key, said] : read->said) {
    if (said_.at(key).words == said.words) continue;
    (is_reloadable(key) ? change.made : change.later).push_back(key);
    if (is_reloadable(key)) said_.insert_or_assign(key, std::move(said));
  }
  std::apply([&](const auto&... each) { ((config_.*each.member = std::move(read->config.*each.member)), ...); },
             kReloadable);
  return change;
}

}  // namespace fuhyo::app
