#include "server/net/assets.h"

#include <page_css.h>
#include <page_html.h>
#include <page_js.h>

namespace fuhyo::net {

std::optional<Asset> find_asset(std::string_view path) {
  if (path == "/") return Asset{"text/html; charset=utf-8", kPageHtml};
  if (path == "/page.css") return Asset{"text/css; charset=utf-8", kPageCss};
  if (path == "/page.js") return Asset{"text/javascript; charset=utf-8", kPageJs};
  return std::nullopt;
}

}  // namespace fuhyo::net
