#include "server/core/rating/rated_id.h"

namespace fuhyo::core::rating {

std::optional<std::string> rated_id(std::string_view id) {
  if (id.contains("@NORATE+")) return std::nullopt;
  std::string rated;
  while (!id.empty()) {
    const std::size_t at = id.find('@');
    const std::size_t plus = at == std::string_view::npos ? at : id.find('+', at);
    if (plus == std::string_view::npos) break;
    rated += id.substr(0, at);
    rated += '+';
    id.remove_prefix(plus + 1);
  }
  return rated += id;
}

std::string_view name_of(std::string_view id) { return id.substr(0, id.find('+')); }

}  // namespace fuhyo::core::rating
