// The loop that every engine of ours runs: reads USI from a stream, searches on a second thread, answers.
//
// Promises: every "go" is answered by exactly one "bestmove" (or "checkmate"), whatever comes in between; the answer to
// a ponder or infinite search waits for "stop" or "ponderhit", also where there is nothing to search; unknown or
// malformed input is reported and changes nothing.
//
// A list of commands may be piped in: what needs the engine for itself ("go", "usinewgame", "bench" and so on) waits
// for a search that ends by itself, as "setoption" and the end of the input do; any other search it stops. "stop",
// "ponderhit", "gameover", "position" and "quit" are done at once, as GUIs expect; "isready" during a search says
// "readyok" and does nothing else.
//
// Beside USI: "perft N", "d" (board), "eval", "bench [LIMIT]", "wait" (for the end of the search), "getoption [NAME]",
// "help [NAME] [en | ja]", and an option's name with a value for "setoption"; "tt" to engines that exchange table
// entries (table_exchange.h), at any time.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "engines/usi/engine.h"

namespace fuhyo::usi {

// Returns after "quit" or at the end of the input. The calling thread reads; `out` is flushed after each line.
void run_loop(Engine& engine, std::istream& in, std::ostream& out);

// The whole program: with arguments, runs them as commands with "," between them ("fuhyo-nnue bench 8", "fuhyo-nnue
// isready , go depth 9"), each once the search before it is over; without, the loop on the standard streams; "--help"
// and "--version". `program`: the path that it was started by; engine_options.txt beside it is read first. `more_help`:
// what "--help" says of words that only this program knows. Returns the exit code: 64 if a command is unknown.
int run_program(Engine& engine, std::span<const std::string> arguments, const std::filesystem::path& program,
                std::string_view more_help = {});

}  // namespace fuhyo::usi
