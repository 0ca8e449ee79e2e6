// The loop that every engine of ours runs: reads USI from a stream, searches on a second thread, answers.
//
// Promises: every "go" is answered by exactly one "bestmove" (or "checkmate"), whatever comes in between; the answer to
// a ponder or infinite search waits for "stop" or "ponderhit"; unknown or malformed input is reported and changes
// nothing; the end of the input means "quit".
//
// Beside USI: "perft N", "d" (board), "eval", "bench [DEPTH]".
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "engines/usi/engine.h"

namespace fuhyo::usi {

// Returns after "quit" or at the end of the input. The calling thread reads; `out` is flushed after each line.
void run_loop(Engine& engine, std::istream& in, std::ostream& out);

// The whole program: with arguments, runs them as one command line ("fuhyo-nnue bench 8"); without, the loop on the
// standard streams. Returns the exit code.
int run_program(Engine& engine, std::span<const std::string> arguments);

}  // namespace fuhyo::usi
