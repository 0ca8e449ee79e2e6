// A player's program: logs in, waits, agrees, plays legal moves, and starts again when its connection is gone. How much
// it does wrong is its temper: an honest player does nothing wrong, a clumsy one everything at times.
#include <charconv>
#include <iterator>

#include "engines/record/csa_move.h"
#include "engines/record/csa_setup.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "tests/sim/clients.h"

namespace fuhyo::sim {
namespace {

constexpr int kMostDials = 12;
constexpr std::size_t kLongestGame = 400;  // then it resigns
constexpr std::array<std::string_view, 14> kNonsense = {"hello",
                                                        "LOGIN me again x1",
                                                        "AGREE",
                                                        "REJECT",
                                                        "AGREE sim+o+a+b+1",
                                                        "%%GAME",
                                                        "%%GAME x-1-1 *",
                                                        "%%CHALLENGE g-60-5 -",
                                                        "CHALLENGE",
                                                        "%%%FLOODGATE",
                                                        "%%CHAT hi",
                                                        "LOGOUT",
                                                        "%TORYO",
                                                        "+7776FU"};

std::optional<shogi::Move> legal_move(const shogi::Position& position, std::string_view text) {
  const auto csa = record::parse_csa_move(text);
  const auto move = csa ? record::resolve(position, *csa) : std::nullopt;
  return move && position.is_legal(*move) ? move : std::nullopt;
}

class Player final : public Guest {
 public:
  Player(const Scene& scene, Identity identity) : Guest(scene), me_(std::move(identity)) {}

  void start() override {
    later(rng_.between(0, 3 * kSecond), [this] { dial(); });
  }

  void connected(core::ConnId) override {
    if (rng_.chance(me_.temper.leave)) return;  // says nothing and waits
    if (me_.x1) return say(fmt::format("LOGIN {} {} x1", me_.name, me_.trip));
    const bool handicap = game_name_.starts_with("hc");
    const std::string_view colour = !handicap ? "" : rng_.chance(0.5) ? "-B" : "-W";
    say(fmt::format("LOGIN {} {}{},{}", me_.name, game_name_, colour, me_.trip));
  }

  void lost(core::ConnId conn) override {
    if (conn_ != conn) return;
    stage_.marks.hit(playing() ? Mark("reset_in_game") : Mark("reset_outside"));
    conn_.reset();
    ++era_;
    later(rng_.between(100 * kMillisecond, 5 * kSecond), [this] { dial(); });
  }

  void heard(core::ConnId conn, std::string_view bytes) override {
    if (conn_ != conn) return;
    unread_ += bytes;
    for (std::size_t end; conn_ == conn && (end = unread_.find('\n')) != std::string::npos;) {
      const std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      on_line(line);
    }
  }

  void wind_down() override {
    leaving_ = true;
    if (!conn_) return;
    if (!playing()) return hang_up();
    asleep_ = rng_.chance(0.3);
    if (asleep_ && allowance_us() == 0) hang_up();  // nobody's flag would ever end this
  }

 private:
  // Runs it later, unless the connection or the game has changed by then.
  template <class Action>
  void later(std::int64_t delay_us, Action action) {
    stage_.time.after(delay_us, [this, era = era_, action] {
      if (era == era_) action();
    });
  }

  // ---- the connection ----

  void dial() {
    ++era_;
    if (leaving_ || games_ >= stage_.scenario.games_each || ++dials_ > kMostDials) return;
    view_ = ClientView{};
    unread_.clear();
    game_name_ = rng_.pick(stage_.scenario.games);
    conn_ = network_.dial(*this, me_.caller);
    if (me_.honest) auditor_.register_honest(*conn_);
  }

  void say(std::string_view line) {
    if (!conn_) return;
    auditor_.sent(*conn_, line);
    const bool crlf = rng_.chance(stage_.scenario.network.crlf);
    network_.send(*conn_, fmt::format("{}{}", line, crlf ? "\r\n" : "\n"));
  }

  void hang_up() {
    if (!conn_) return;
    const core::ConnId conn = *conn_;
    if (rng_.chance(0.5)) {
      network_.hang_up(conn);
      lost(conn);
    } else {
      network_.reset(conn);
    }
  }

  // ---- the game ----

  void on_line(std::string_view line) {
    auditor_.told(*conn_, line);
    if (line.starts_with("##[ADMIN] the game goes on")) return maybe_think();
    switch (view_.line(line)) {
      case Told::logged_in:
        later(5 * kSecond, [this] { fidget(); });
        return me_.x1 ? ask_for_game() : wait_for_rival();
      case Told::login_refused:
        return hang_up();
      case Told::summary:
        return on_summary();
      case Told::start:
        return maybe_think();
      case Told::move:
        return follow(line);
      case Told::reject:
      case Told::verdict:
        return on_over();
      default:
        return;
    }
  }

  void ask_for_game() {
    const bool handicap = game_name_.starts_with("hc");
    const std::string_view turns = handicap ? "+-" : game_name_.starts_with("floodgate") ? "*" : "+-***";
    const std::string_view verb = rng_.chance(0.05) ? "%%CHALLENGE" : "%%GAME";
    say(fmt::format("{} {} {}", verb, game_name_, rng_.pick(turns)));
    wait_for_rival();
  }

  void wait_for_rival() {
    later(rng_.between(10 * kSecond, 60 * kSecond), [this] {
      if (view_.game() != nullptr && !view_.game()->over()) return;
      if (!me_.x1 || rng_.chance(0.3)) return hang_up();
      if (rng_.chance(0.5)) say("%%GAME");
      game_name_ = rng_.pick(stage_.scenario.games);
      ask_for_game();
    });
  }

  void on_summary() {
    ++era_;
    record::CsaSetupReader reader;
    for (const std::string& line : view_.game()->board) {
      if (line.starts_with('P')) reader.line(line);
    }
    const auto setup = reader.finish(view_.game()->board.back() == "+" ? shogi::BLACK : shogi::WHITE);
    const auto position = setup ? setup->position() : std::unexpected(shogi::SfenError{});
    if (!position) return hang_up();
    position_ = *position;
    const std::string& id = view_.game()->id;  // "sim+perpetual-60-5+..."
    line_ = line_of_play(std::string_view(id).substr(std::min(id.size(), id.find('+') + 1)));
    // The room that has its position may be there no more.
    if (!line_.empty() && !legal_move(position_, line_.front())) line_.clear();
    for (const std::string& past : view_.game()->past) {
      const auto move = legal_move(position_, std::string_view(past).substr(0, past.find(',')));
      if (!move) return hang_up();
      position_.do_move(*move);
    }
    ply_ = sent_ply_ = view_.game()->past.size();
    remaining_s_ = view_.game()->total_s;
    asleep_ = false;
    later(rng_.exponential(stage_.scenario.pace_us), [this] {
      later(5 * kSecond, [this] { fidget(); });
      if (!rng_.chance(me_.temper.refuse)) return say(rng_.chance(0.5) ? "AGREE" : "AGREE " + view_.game()->id);
      if (rng_.chance(0.5)) say("REJECT");
    });
  }

  bool playing() { return conn_ && view_.game() != nullptr && view_.game()->started && !view_.game()->over(); }

  bool my_turn() const { return (position_.side_to_move() == shogi::BLACK) == (view_.games().back().my_sign == '+'); }

  void follow(std::string_view told) {
    if (!playing()) return;
    const auto move = legal_move(position_, told.substr(0, told.find(',')));
    if (!move) return hang_up();
    if (my_turn()) {
      const Seen& game = *view_.game();
      remaining_s_ = std::max<std::int64_t>(0, remaining_s_ + game.increment_s - time_of(told));
    }
    position_.do_move(*move);
    ++ply_;
    maybe_think();
  }

  void on_over() {
    ++era_;
    ++games_;
    if (!me_.x1 || leaving_) return later(2 * kSecond, [this] { hang_up(); });
    if (games_ >= stage_.scenario.games_each) {
      leaving_ = true;
      say("LOGOUT");
      return later(2 * kSecond, [this] { hang_up(); });
    }
    later(rng_.exponential(kSecond), [this] {
      game_name_ = rng_.pick(stage_.scenario.games);
      ask_for_game();
    });
    later(5 * kSecond, [this] { fidget(); });
  }

  // ---- moves ----

  // Time until the flag falls, as far as a player knows; 0 without a limit.
  std::int64_t allowance_us() const {
    const Seen& game = view_.games().back();
    std::int64_t unit_s = 1;
    if (game.time_unit == "1min") unit_s = 60;
    if (game.time_unit.ends_with("sec"))
      std::from_chars(game.time_unit.data(), game.time_unit.data() + game.time_unit.size(), unit_s);
    const std::int64_t main_s = game.total_s == 0 ? 0 : remaining_s_ * unit_s;
    return (main_s + game.byoyomi_s + game.increment_s) * kSecond;
  }

  std::int64_t thinking_us() {
    const std::int64_t allowance = allowance_us();
    const std::int64_t pace = 1 + rng_.exponential(stage_.scenario.pace_us);
    if (allowance == 0) return pace;
    if (rng_.chance(me_.temper.late)) return allowance + rng_.between(-100, 100) * kMillisecond;
    if (rng_.chance(stage_.scenario.last_moment)) {
      const std::int64_t trip_us = 2 * stage_.scenario.network.latency_us;
      return std::max<std::int64_t>(1, allowance - trip_us + rng_.between(-40, 10) * kMillisecond);
    }
    return std::min(pace, allowance * 7 / 10);
  }

  void maybe_think() {
    if (!playing() || asleep_) return;
    if (my_turn() && sent_ply_ <= ply_) later(thinking_us(), [this] { act(); });
  }

  void act() {
    if (!playing() || asleep_ || !my_turn() || sent_ply_ > ply_) return;
    const auto move = choose();
    if (!move) return;
    send_move(*move);
    if (rng_.chance(me_.temper.twice)) say(*move);
    const std::int64_t soon_us = rng_.chance(0.5) ? 200 * kMillisecond : 5 * kSecond;
    if (rng_.chance(me_.temper.ahead)) later(rng_.between(0, soon_us), [this] { send_ahead(); });
  }

  // Nothing: it has given up, or the game, or its connection.
  std::optional<std::string> choose() {
    if (rng_.chance(me_.temper.leave)) {
      if (rng_.chance(0.5))
        say("LOGOUT");
      else
        hang_up();
      return std::nullopt;
    }
    if (rng_.chance(me_.temper.illegal)) return illegal_move();
    if (ply_ < line_.size()) {
      const auto csa = record::parse_csa_move(line_[ply_]);
      const auto move = csa ? record::resolve(position_, *csa) : std::nullopt;
      const bool last = ply_ + 1 == line_.size();  // it may be the illegal one that the line is about
      if (move && (last || position_.is_legal(*move))) return line_[ply_];
    }
    const bool tired = ply_ > kLongestGame || (ply_ > 10 && line_.empty() && rng_.chance(me_.temper.resign));
    const auto rule = shogi::entering_king_rule_of(view_.games().back().entering_king_rule);
    const auto verdict = shogi::judge_declaration(position_, rule.value_or(shogi::DeclarationRule::NONE));
    if (verdict.winning_move && rng_.chance(0.5)) return record::to_csa(position_, verdict.winning_move);
    if (verdict.valid || verdict.draw) return "%KACHI";
    return tired ? "%TORYO" : random_move();
  }

  std::string random_move() {
    const auto moves = shogi::legal_moves(position_);
    if (moves.empty()) return "%TORYO";
    return record::to_csa(position_, moves[rng_.below(moves.size())]);
  }

  // A move that breaks a rule, or a line that is no move at all. Every rule that can be broken here is as likely.
  std::string illegal_move() {
    static constexpr std::array<std::string_view, 8> kNoMoves = {"+9911XX", "-2",       "+0000FU", "%KACHI",
                                                                 "%NOSUCH", "+7776FU,", "-3334FU", "+5955OU"};
    if (rng_.chance(0.3)) return std::string(rng_.pick(kNoMoves));
    std::map<shogi::Illegal, std::vector<shogi::Move>> moves;
    const auto consider = [&](shogi::Move move) {
      if (const shogi::Illegal why = position_.why_illegal(move); why != shogi::Illegal::none)
        moves[why].push_back(move);
    };
    for (int to = 0; to < shogi::SQUARE_NB; ++to) {
      const auto square = static_cast<shogi::Square>(to);
      for (int from = 0; from < shogi::SQUARE_NB; ++from) {
        if (position_.piece_on(static_cast<shogi::Square>(from)) == shogi::NO_PIECE) continue;
        consider(shogi::Move::board(static_cast<shogi::Square>(from), square, false));
      }
      for (const shogi::PieceType type : {shogi::PAWN, shogi::LANCE, shogi::KNIGHT, shogi::GOLD}) {
        consider(shogi::Move::drop(type, square));
      }
    }
    auto reason = moves.begin();
    std::advance(reason, static_cast<std::ptrdiff_t>(rng_.below(moves.size())));
    return record::to_csa(position_, rng_.pick(reason->second));
  }

  void send_move(const std::string& move) {
    sent_ply_ = ply_ + 1;
    if (move[0] != '%' && rng_.chance(0.2)) return say(fmt::format("{},'* {} -3334FU", move, rng_.between(-999, 999)));
    say(move);
  }

  // A clumsy player's moves may leave the line that both follow; nobody else's do.
  bool rival_follows() const { return view_.games().back().id.find("+clumsy") == std::string::npos; }

  // The move after the opponent's next one: an honest player knows it from the line that both follow.
  void send_ahead() {
    if (!playing()) return;
    const std::size_t mine = my_turn() ? ply_ + 1 : ply_;  // its newest move may not have been told yet
    if (sent_ply_ != mine) return;
    if (!me_.honest && rng_.chance(0.2)) {  // has had enough
      say("%TORYO");
      return say("LOGOUT");
    }
    if (!me_.honest) return say(random_move());
    if (mine + 1 >= line_.size() || !rival_follows()) return;
    sent_ply_ = mine + 2;
    say(line_[mine + 1]);
  }

  // ---- everything else ----

  // Keep-alives and questions, at times nonsense.
  void fidget() {
    if (!conn_ || stage_.quiet) return;
    static constexpr std::array<std::string_view, 7> kHarmless = {"", "", "", "%%WHO", "%%LIST", "%%VERSION", " "};
    if (rng_.chance(me_.temper.nonsense))
      say_nonsense();
    else if (rng_.chance(me_.temper.leave))
      return hang_up();
    else
      say(rng_.pick(kHarmless));
    later(rng_.between(kSecond, 30 * kSecond), [this] { fidget(); });
  }

  void say_nonsense() { say(rng_.pick(kNonsense)); }

  Identity me_;
  std::optional<core::ConnId> conn_;
  std::string unread_;
  ClientView view_;
  std::string game_name_;
  std::vector<std::string> line_;  // that this game follows
  shogi::Position position_;
  std::size_t ply_ = 0;       // moves that were told
  std::size_t sent_ply_ = 0;  // moves of the game up to here are sent (ours) or not our business
  std::int64_t remaining_s_ = 0;
  std::uint64_t era_ = 0;  // of connection and game
  int games_ = 0, dials_ = 0;
  bool leaving_ = false, asleep_ = false;
};

}  // namespace

Temper Temper::clumsy(Rng& rng) {
  const auto some = [&](double most) { return rng.chance(0.5) ? 0 : rng.unit() * most; };
  return {.illegal = some(0.03),
          .twice = some(0.1),
          .ahead = some(0.1),
          .late = some(0.02),
          .nonsense = some(0.1),
          .leave = some(0.01),
          .refuse = some(0.5),
          .resign = 0.01};
}

std::unique_ptr<Client> make_player(const Scene& scene, Identity identity) {
  return std::make_unique<Player>(scene, std::move(identity));
}

}  // namespace fuhyo::sim
