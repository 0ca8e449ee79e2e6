// Answers to operators that are one sentence.
#pragma once

#include <string>
#include <utility>

#include "server/core/effects.h"

namespace fuhyo::app {

inline core::AdminResult done(std::string text) {
  return {.ok = true, .text = std::move(text), .columns = {}, .rows = {}};
}
inline core::AdminResult refused(std::string text) {
  return {.ok = false, .text = std::move(text), .columns = {}, .rows = {}};
}

}  // namespace fuhyo::app
