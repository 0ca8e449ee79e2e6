// The table of a division as a part of a larger JSON. Pure; any thread. Private to this room.
#pragma once

#include <boost/json.hpp>

#include "server/core/tournament/tables.h"

namespace fuhyo::net {

// The keys of table_json() from `format` on.
boost::json::object table_object(const core::tournament::Table& table);

}  // namespace fuhyo::net
