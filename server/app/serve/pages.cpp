#include "server/app/serve/pages.h"

#include <utility>

#include "server/app/commands.h"

namespace fuhyo::app {

std::expected<void, StartError> set_pages(const ServeConfig& config, net::HttpOptions& options) {
  if (config.spectator_comments == "never") options.comments = net::Comments::never;
  if (config.spectator_comments == "live") options.comments = net::Comments::live;
  if (config.web_root.empty()) return {};
  auto pages = net::Assets::of_folder(config.web_root);
  if (!pages) return std::unexpected(StartError{kExitUsage, "web-root: " + pages.error()});
  options.assets = std::move(*pages);
  return {};
}

}  // namespace fuhyo::app
