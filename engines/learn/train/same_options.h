// Compares the options of a checkpoint with those of the training that resumes from it.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

namespace fuhyo::learn {

// The first of my options that was another one then, in words; nothing if all are the same.
std::optional<std::string> differing_option(const boost::json::object& then, const boost::json::object& mine);

}  // namespace fuhyo::learn
