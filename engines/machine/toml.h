// toml++, but that it takes nothing for granted of a text, and is compiled once (toml.cpp). Its version 3.3 states to
// the optimiser what keys begin with, where a malformed file lets them begin with anything; the branches behind that
// say so as errors. Include this alone.
#pragma once

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 0
#if __has_include(<toml++/impl/preprocessor.hpp>)  // from 3.4 on
#include <toml++/impl/preprocessor.hpp>
#else
#include <toml++/impl/preprocessor.h>
#endif

#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expr) static_assert(true)

#include <toml++/toml.h>
