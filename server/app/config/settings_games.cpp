// Settings: what the server is to players and spectators.
#include "server/app/config/delay.h"
#include "server/app/config/entry.h"
#include "server/app/config/setters.h"
#include "server/app/config/settings.h"
#include "server/core/limits.h"

namespace fuhyo::app {

// What the server is to players: its ports, its games.
std::vector<Setting> game_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"csa",
       list,
       "HOST:PORT",
       "where players connect; may be repeated; port 0 takes a free one",
       {"127.0.0.1:4081"},
       set_addresses(&C::csa, false)},
      {"role",
       text,
       "game|web|standby",
       "game: the server that players connect to; web: only shows the games of one, read from its store; standby: "
       "waits until no other one writes the store, then is that server",
       {"game"},
       set_choice(&C::role, {{"game", NodeRole::game}, {"web", NodeRole::web}, {"standby", NodeRole::standby}})},
      {"http",
       list,
       "HOST:PORT",
       "where the web page and its event stream are; may be repeated; 'off' for none",
       {"127.0.0.1:8081"},
       set_addresses(&C::http, true)},
      {"event", text, "NAME", "first part of every Game_ID", {"fuhyo"}, set_event},
      {"clock",
       text,
       "CLOCK",
       "of the game that the start names to players (EVENT-900-5F), as in a game name",
       {"900-5F"},
       set_clock},
      {"max-moves",
       number,
       "N",
       "a game ends without a winner at this move; 0: never",
       {"256"},
       set_number(&C::max_moves, 0, 4096)},
      {"least-time-per-move",
       number,
       "SECONDS",
       "each move is charged at least this",
       {"0"},
       set_number(&C::least_time_per_move_s, 0, 3600)},
      {"max-identifier",
       number,
       "N",
       "longest name of a player, and of a game before its times",
       {"32"},
       set_number(&C::max_identifier, 1, static_cast<int>(core::kMostIdentifier))},
      {"ratings",
       text,
       "computed|file",
       "computed from the games as shogi-server's mk_rate does, or read from DATA/players.yaml",
       {"computed"},
       set_choice(&C::ratings_from_file, {{"computed", false}, {"file", true}})},
      {"floodgate-games",
       list,
       "NAME",
       "a floodgate group (floodgate-300-10F): its players are paired in rounds, at the times of DATA/NAME.conf; may "
       "be "
       "repeated",
       {},
       set_floodgate_games,
       R"(["floodgate-300-10F", "floodgate-3600-0"])"},
  };
}

// Players of its own.
std::vector<Setting> engine_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"builtin",
       text,
       "off|demo",
       "built-in players; demo: two a core, up to eight, play demonstration games while no others run",
       {"off"},
       set_choice(&C::builtin, {"off", "demo"})},
      {"engine",
       list,
       "LINE",
       "a USI engine seated as a player: 'name=NAME engine=COMMAND game=NAME-900-5F serve=club-* level=12 threads=1 "
       "count=2 option.USI_Hash=64'; may be repeated",
       {},
       set_engines,
       R"(["name=Sente engine=fuhyo-nnue game=club-900-5F level=12 option.USI_Hash=64"])"},
      {"engine-sandbox",
       text,
       "required|on|off",
       "what engines are kept from (files, network, other processes); on: as far as this machine can; required: "
       "the server does not start where anything of it is missing",
       {"on"},
       set_choice(&C::engine_sandbox,
                  {{"required", EngineSandbox::required}, {"on", EngineSandbox::on}, {"off", EngineSandbox::off}})},
      {"worker-door",
       list,
       "HOST:PORT",
       "where machines that bring engines (fuhyo join --worker) connect, under TLS; may be repeated",
       {},
       set_more_addresses(&C::worker_door),
       R"("0.0.0.0:4083")"},
      {"worker",
       list,
       "LINE",
       "a machine that may bring engines: 'name=NAME players=NAME-* secret_hash=...'; see fuhyo admin worker add",
       {},
       set_workers,
       R"(["""name=lab players=lab,lab-* \
secret_hash=00000000000000000000000000000000:)"
       "0000000000000000000000000000000000000000000000000000000000000000\"\"\"]"},
      {"engine-threads",
       number,
       "N",
       "threads of built-in players that may think at once; 0: one less than there are cores, for the server",
       {"0"},
       set_number(&C::engine_threads, 0, 4096)},
  };
}

// What spectators see, and when.
std::vector<Setting> spectator_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"spectator-comments",
       text,
       "never|after|live",
       "when spectators see what players say of their moves (evaluations, lines): never, after the game, or at once",
       {"after"},
       set_choice(
           &C::spectator_comments,
           {{"never", core::Comments::never}, {"after", core::Comments::after}, {"live", core::Comments::live}})},
      {"spectator-delay",
       list,
       "LINE",
       "games that spectators see later than their players: 'games=club-* seconds=60' or 'games=* moves=3'; may be "
       "repeated, the first that fits counts",
       {},
       set_rules(&C::spectator_delay, parse_delay, core::kMostDelayRules),
       R"(["games=final-* seconds=300", "games=club-* moves=3"])"},
      {"commentator",
       text,
       "FILE",
       "who speaks of games on the pages: off, builtin (in words of its own), or the file of a persona and its "
       "endpoint",
       {"off"},
       set_commentator},
  };
}

// What becomes of games when a connection is lost or the server ends.
std::vector<Setting> resume_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"resume",
       text,
       "position|adjudicate|abort",
       "what becomes of running games when the server ends: they go on, wait for a verdict, or are void",
       {"position"},
       set_choice(&C::resume, {{"position", core::ResumeRule::position},
                               {"adjudicate", core::ResumeRule::adjudicate},
                               {"abort", core::ResumeRule::abort}})},
      {"resume-window",
       number,
       "SECONDS",
       "how long such a game waits for its players",
       {"120"},
       set_number(&C::resume_window_s, 1, 86400)},
      {"resume-times",
       text,
       "remaining|as_played",
       "what a player who comes back is told: what he has left and T0 for each move, or the times as they were played",
       {"remaining"},
       set_choice(&C::times_as_played, {{"remaining", false}, {"as_played", true}})},
      {"loss-grace",
       number,
       "SECONDS",
       "how long a player whose line broke may stay away from his game; 0: he has lost at once",
       {"0"},
       set_number(&C::loss_grace_s, 0, 3600)},
      {"reconnect-tokens",
       text,
       "on|off",
       "tells players a Reconnect_Token where they may come back to their game",
       {"off"},
       set_choice(&C::reconnect_tokens, {{"on", true}, {"off", false}})},
  };
}

// Who may come in, and under which name.
std::vector<Setting> account_settings() {
  using enum Setting::Kind;
  using C = ServeConfig;
  return {
      {"accounts",
       text,
       "open|claim|closed",
       "who may play under a name without an account: anybody, whoever is the first (it is his from then on), nobody",
       {"open"},
       set_choice(&C::accounts, {{"open", core::AccountPolicy::open},
                                 {"claim", core::AccountPolicy::claim},
                                 {"closed", core::AccountPolicy::closed}})},
      {"entry",
       list,
       "LINE",
       "what some games ask of their players: 'games=club-* accounts=open|claim|closed players=ann,bob'; may be "
       "repeated, the first that fits counts",
       {},
       set_rules(&C::entry, parse_entry),
       R"(["games=final-* accounts=closed players=alice,bob", "games=club-* accounts=claim tls=yes"])"},
      {"reserved-names", list, "NAME", "names, and those that look like them, that need an account; may be repeated",
       usual_reserved_names(), set_reserved_names},
      {"duplicate-login",
       text,
       "takeover|refuse",
       "a second login with the right secret during a game takes it over, or is refused as shogi-server does",
       {"takeover"},
       set_choice(&C::takeover, {{"takeover", true}, {"refuse", false}})},
      {"trip",
       text,
       "keyed|md5",
       "how the secret of a player is shown behind his name: by a hash with a key of this server, or by its MD5",
       {"keyed"},
       set_choice(&C::md5_trips, {{"keyed", false}, {"md5", true}})},
  };
}

}  // namespace fuhyo::app
