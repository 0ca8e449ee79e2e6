// Every limit of the server in one place, with its reason. Each is tested at the limit and one past it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "server/core/games/conduct.h"
#include "server/core/ids.h"
#include "server/core/logins/penalties.h"

namespace fuhyo::core {

// What max-identifier may be at most: the Game_ID of two such players, as a file name, has fewer than 255 bytes.
inline constexpr std::size_t kMostIdentifier = 48;

struct Limits {
  // A LOGIN line is at most 6 + 32 + 1 + 32..64 + 3 bytes; nobody unknown needs more.
  std::size_t line_before_login = 1024;
  // A move with a floodgate comment: evaluation and a long principal variation (8 bytes a ply).
  std::size_t line = 4096;
  // Silence allowed before LOGIN succeeds. shogi-server gives 300 s and only 100 connections.
  std::int64_t login_us = 20 * kSecond;
  // AGREE or REJECT must come within this time of the Game_Summary (shogi-server).
  std::int64_t agree_us = 120 * kSecond;
  // Lines of one session that wait for their turn or for the journal; a client that sends more is broken.
  std::size_t queued_lines = 16;
  // Bytes a client has not read yet, beside the longest message; beyond this it is taken for gone.
  std::size_t output_bytes = 256 * 1024;
  // Of these, some are reserved for connections before login, and some for accounts, operators and players who come
  // back to their games. When the rest is full, idle sessions without an account make room, the oldest first.
  std::size_t sessions = 19'500;
  std::size_t unauthenticated = 256;
  std::size_t reserved_sessions = 500;
  // After a search for an idle session that found none, no other one begins so soon: it looks at every session.
  std::int64_t full_us = 100'000;
  std::size_t unauthenticated_per_address = 8;
  std::size_t sessions_per_address = 64;
  // A wrong secret is answered so long after it came, whatever was wrong, and however long that took to find out.
  std::int64_t refusal_us = kSecond;
  PenaltyLimits penalties;
  ConductLimits conduct;
  // Passwords that wait for their slow hash. Beyond it the last in the queue is refused without a check: one of a
  // network that asks often, and none of admin-networks while others wait.
  std::size_t password_checks = 64;
  std::size_t accounts = 100'000;
  std::size_t credentials = 16;  // of one account
  // What it costs an address to claim a name: about eight in a row, then one in two seconds.
  std::int64_t claim_us = 2 * kSecond;
  // A session that has just begun is not taken over: two programs with one name would take turns for ever.
  std::int64_t takeover_us = 10 * kSecond;
  // So long is a one-time code good for commands over one session.
  std::int64_t commands_us = 1800 * kSecond;
  // Wrong LOGIN lines on one connection: a person mistypes a few, a scanner never stops.
  int login_tries = 20;
  // Commands that are not legal moves in turn: a token bucket a session.
  double commands_per_s = 20;
  double commands_burst = 100;
  // Each full part of an answer of this size costs one command more: a line of six bytes must not move megabytes twenty
  // times a second, and the answers to a burst, output_bytes at most, may all be unread.
  std::size_t answer_bytes = 2 * 1024;
  // Lines beyond the budget wait. A client for whose lines it would take longer than this is cut; one whose waiting
  // lines are longer is not read meanwhile.
  std::int64_t throttle_us = 30 * kSecond;
  std::size_t held_bytes = 64 * 1024;
  // Buoys: each is a row of the store and of every start. Of one owner; of one owner without an account, and of all
  // such owners behind one address, as names cost nothing; of all. The last of all are for accounts and operators.
  std::size_t buoys_per_owner = 1'000;
  std::size_t buoys_per_throwaway = 100;
  std::size_t buoys_per_address = 200;
  std::size_t buoys = 20'000;
  std::size_t reserved_buoys = 5'000;
  // Sets of start positions, and the text of one: about 3,000 positions with their moves.
  std::size_t position_sets = 1'000;
  std::size_t position_set_bytes = 512 * 1024;
  // Each is looked at whenever somebody asks for a game, and stands on one page.
  std::size_t rooms = 256;
  // Events that are kept, over ones too, and the settings of one.
  std::size_t events = 200;
  std::size_t event_bytes = 512 * 1024;
  // Games that one session watches at a time.
  std::size_t monitors = 64;
  // Longest game where Max_Moves does not end it earlier (it may be 0).
  std::int32_t plies = 4096;
  // Commands of operators that the shell is busy with: reading results takes a moment, nobody needs many at once.
  std::size_t host_requests = 16;
  // Games that are over and can still be restarted from a move: of an evening with 50 tables, the last two rounds.
  std::size_t recent_games = 100;
  // Restarts that wait for their players, and how long each waits: a player who must log in again does so at once.
  std::size_t restarts = 64;
  std::int64_t restart_us = 30 * 60 * kSecond;
};

}  // namespace fuhyo::core
