#include "server/core/commentary/words.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "engines/record/kif_text.h"

namespace fuhyo::core {
namespace {

using namespace shogi;

constexpr std::int32_t kSwing = 200;  // hundredths of a pawn that are worth a word
constexpr std::int32_t kShortTime_s = 60;

struct Bilingual {
  std::string_view ja, en;
};
constexpr std::pair<std::string_view, Bilingual> kOpeningWords[] = {
    {"yagura", {"矢倉", "Yagura"}},
    {"kakugawari", {"角換わり", "Bishop exchange"}},
    {"aigakari", {"相掛かり", "Double wing"}},
    {"yokofudori", {"横歩取り", "Side pawn capture"}},
    {"gangi", {"雁木", "Snow roof"}},
    {"shikenbisha", {"四間飛車", "Fourth-file rook"}},
    {"nakabisha", {"中飛車", "Central rook"}},
    {"sankenbisha", {"三間飛車", "Third-file rook"}},
    {"mukaibisha", {"向かい飛車", "Opposing rook"}},
    {"aifuribisha", {"相振り飛車", "Double ranging rook"}},
    {"sujichigaikaku", {"筋違い角", "Odd-diagonal bishop"}},
    {"kakugawarifuribisha", {"角交換振り飛車", "Bishop exchange, ranging rook"}}};
constexpr std::string_view kPieceWords[] = {
    "",     "pawn",          "lance",          "knight",          "silver",          "bishop", "rook",  "gold",
    "king", "promoted pawn", "promoted lance", "promoted knight", "promoted silver", "horse",  "dragon"};
static_assert(std::size(kPieceWords) == PIECE_TYPE_NB);
constexpr Bilingual kEndWords[] = {{"投了", "resignation"},
                                   {"対局者の離脱", "a player left"},
                                   {"時間切れ", "on time"},
                                   {"入玉宣言", "a declaration"},
                                   {"宣言の不成立", "a wrong declaration"},
                                   {"反則", "an illegal move"},
                                   {"王手の見落とし", "a check that was not met"},
                                   {"打ち歩詰め", "mate by a pawn drop"},
                                   {"千日手", "repetition"},
                                   {"連続王手の千日手", "perpetual check"},
                                   {"手数の上限", "the move limit"},
                                   {"中断", "an interruption"},
                                   {"裁定", "adjudication"}};
static_assert(std::size(kEndWords) == static_cast<std::size_t>(EndKind::adjudicated) + 1);

// "☗+120": how much better for whom.
Words value_words(std::int32_t cp) {
  const std::string_view mark = mark_of(cp >= 0 ? BLACK : WHITE);
  if (std::abs(cp) >= kMateValue) return {fmt::format("{}の勝ち", mark), fmt::format("a win of {}", mark)};
  std::string text = cp == 0 ? "0" : fmt::format("{}+{}", mark, std::abs(cp));
  return {text, text};
}

class Speech {
 public:
  explicit Speech(const Turn& turn) : turn_(turn) {}

  Words make() && {
    if (turn_.move.ja.empty()) {
      begin();
    } else {
      add(fmt::format("{}手目、{}。", turn_.ply, turn_.move.ja), fmt::format("Move {}, {}.", turn_.ply, turn_.move.en));
      tell_board();
      tell_values();
      tell_time();
    }
    if (turn_.ended) end();
    return std::move(said_);
  }

 private:
  void add(std::string_view ja, std::string_view en) {
    said_.ja += ja;
    said_.en += said_.en.empty() ? "" : " ";
    said_.en += en;
  }
  std::string who(Color side) const { return fmt::format("{}{}", mark_of(side), turn_.names[side]); }

  void begin() {
    add(fmt::format("{} 対 {} の対局です。", who(BLACK), who(WHITE)),
        fmt::format("{} plays {}.", who(BLACK), who(WHITE)));
  }

  void tell_board() {
    if (turn_.captured != NO_PIECE_TYPE) {
      add(fmt::format("{}を取{}ました。", record::kif_name(turn_.captured), turn_.takes_back ? "り返し" : "り"),
          fmt::format("It takes {} {}.", turn_.takes_back ? "back, a" : "a", kPieceWords[turn_.captured]));
    }
    if (turn_.check) add("王手です。", "Check.");
    if (turn_.hangs != NO_PIECE_TYPE) {
      add(fmt::format("この{}はただで取れます。", record::kif_name(turn_.hangs)),
          fmt::format("The {} can be taken for nothing.", kPieceWords[turn_.hangs]));
    }
    const auto* opening =
        std::ranges::find(kOpeningWords, turn_.opening, &std::pair<std::string_view, Bilingual>::first);
    if (opening == std::end(kOpeningWords)) return;
    add(fmt::format("戦型は{}です。", opening->second.ja), fmt::format("The opening: {}.", opening->second.en));
  }

  void tell_values() {
    if (!turn_.said) return;
    const std::int32_t now = turn_.said->cp;
    const Words worth = value_words(now);
    add(fmt::format("{}の評価は{}です。", who(turn_.side), worth.ja),
        fmt::format("{} sees {}.", who(turn_.side), worth.en));
    if (turn_.said_before && std::abs(now - *turn_.said_before) >= kSwing) {
      const Words before = value_words(*turn_.said_before);
      add(fmt::format("前の手では{}でした。", before.ja), fmt::format("It was {} a move ago.", before.en));
    }
    if (turn_.others_value && std::abs(now - *turn_.others_value) >= kSwing) {
      const Words other = value_words(*turn_.others_value);
      add(fmt::format("{}の評価は{}です。", who(~turn_.side), other.ja),
          fmt::format("{} saw {}.", who(~turn_.side), other.en));
    }
    if (turn_.line.empty()) return;
    add(fmt::format("次は{}を予想しています。", turn_.line.front().ja),
        fmt::format("It expects {}.", turn_.line.front().en));
  }

  void tell_time() {
    if (turn_.time.unlimited() || turn_.left_before_s == turn_.left_s) return;
    if (turn_.left_s == 0 && turn_.time.byoyomi_s > 0) {
      add(fmt::format("{}は秒読みに入りました。", who(turn_.side)), fmt::format("{} is in byoyomi.", who(turn_.side)));
    } else if (turn_.left_s < kShortTime_s && turn_.left_before_s >= kShortTime_s) {
      add(fmt::format("{}の持ち時間は残り{}秒です。", who(turn_.side), turn_.left_s),
          fmt::format("{} has {} s left.", who(turn_.side), turn_.left_s));
    }
  }

  void end() {
    const GameEnded& ended = *turn_.ended;
    const bool mated = ended.line == "%TSUMI";  // a mate at the limit
    const Bilingual kind = mated ? Bilingual{"詰み", "mate"} : kEndWords[static_cast<std::size_t>(ended.kind)];
    if (ended.outcome == Outcome::black_wins || ended.outcome == Outcome::white_wins) {
      const std::string winner = who(ended.outcome == Outcome::black_wins ? BLACK : WHITE);
      return add(fmt::format("まで{}手で{}の勝ちです（{}）。", turn_.ply, winner, kind.ja),
                 fmt::format("{} wins after {} moves ({}).", winner, turn_.ply, kind.en));
    }
    const bool draw = ended.outcome == Outcome::draw;
    add(fmt::format("まで{}手で{}です（{}）。", turn_.ply, draw ? "引き分け" : "勝敗なし", kind.ja),
        fmt::format("{} after {} moves ({}).", draw ? "A draw" : "No result", turn_.ply, kind.en));
  }

  const Turn& turn_;
  Words said_;
};

}  // namespace

Words words_of(const Turn& turn) { return Speech(turn).make(); }

std::vector<Told> commentary_of(const GameStory& game, bool comments, std::size_t ply) {
  std::vector<Told> told;
  for (const Turn& turn : turns_of(game, comments, ply)) told.push_back({turn.ply, words_of(turn)});
  return told;
}

void say_instead(std::vector<Told>& told, const std::vector<Told>& said) {
  for (const Told& each : said) {
    const auto found = std::ranges::find(told, each.ply, &Told::ply);
    if (found == told.end()) continue;
    if (!each.words.ja.empty()) found->words.ja = each.words.ja;
    if (!each.words.en.empty()) found->words.en = each.words.en;
  }
}

}  // namespace fuhyo::core
