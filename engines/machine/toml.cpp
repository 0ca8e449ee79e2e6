// The functions of toml++.
#define TOML_IMPLEMENTATION
#include "engines/machine/toml.h"
