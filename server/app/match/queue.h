// `fuhyo match` on many machines: --queue puts a match into a queue and collects its games, --worker plays them.
#pragma once

#include <stop_token>

#include "engines/match/match.h"
#include "server/app/match/options.h"

namespace fuhyo::app {

// What Match::run() does, by the workers of options.queue. After Match::resume().
match::MatchEnd play_over_queue(match::Match& match, const MatchOptions& options, const match::Match::Told& told,
                                const std::stop_token& stop);

// A worker, until it is stopped or, with --drain, nothing is left. Returns the exit code.
int play_for_queue(const MatchOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::app
