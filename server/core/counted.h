// Numbers of things in English.
#pragma once

#include "engines/record/counted.h"

namespace fuhyo::core {

using record::counted;

}  // namespace fuhyo::core
