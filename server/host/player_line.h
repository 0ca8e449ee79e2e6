// A hosted engine as one line of configuration. Pure; any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "server/host/builtin_host.h"

namespace fuhyo::host {

// Words of the form key=value, quoted as in a shell where a value has blanks:
//   name=Gps engine='/usr/games/gpsusi --book off' game=test-600-10 turn=* option.USI_Hash=64 ponder=true
// `name` and `engine` must be there. The others:
//   game       what it waits for (default-1500-0; nothing, if `serve` is there)
//   serve      games that it also plays on request: names or patterns with commas ("club-*,floodgate-300-10F")
//   count      so many of them, NAME-1, NAME-2 ... (1)
//   level      of strength, as our engines have it (none: all they can); "game": what the name of each game asks for,
//              level12-600-10F, and full strength where it asks for none
//   threads    that it thinks with: its option Threads, and what its seat takes (what option.Threads says, or 1)
//   memory     in MiB, of the engine with all its processes (what the machine allows)
//   tasks      threads and processes that it may have (32 more than `threads`, at least 64)
//   dir        its working directory (the server's), which it may read
//   read       files and folders that it may read besides its own, with commas
//   scratch    a folder that it may write into (none)
//   share      it may hold its network in memory together with other engines: for trusted ones (false)
//   greeting   the comment of its first move in a game
//   usiok-timeout    seconds from its start to usiok (30)
//   readyok-timeout  seconds of silence between isready and readyok (60)
//   turn       its colour: +, - or * (*)
//   password   its trip (none: the caller chooses one)
//   room       where it plays (main)
//   ponder     it thinks on its opponent's time (false)
//   comments   evaluations and lines stand behind its moves (true)
//   nice       how far the server goes before it (5)
//   think-ms   of a move, where the game has no clock (10000)
// Files that options name may be read, too.
std::expected<BuiltinPlayer, std::string> parse_player_line(std::string_view line);

}  // namespace fuhyo::host
