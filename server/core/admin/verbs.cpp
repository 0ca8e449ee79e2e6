#include "server/core/admin/verbs.h"

#include <algorithm>

#include "server/core/spelling.h"

namespace fuhyo::core {
namespace {

using enum Role;

constexpr AdminVerb kVerbs[] = {
    {"help", "[ja] [COMMAND]", "explains the commands", "コマンドを説明する", "help ja pause", host, false, false},
    {"sessions", "[ROOM]", "who is connected, and what they do", "接続中の人とその状態", "sessions", host, false,
     false},
    {"games", "[ROOM]", "games that are agreed to, run, are paused or wait for a restart",
     "対局の一覧（合意待ち、対局中、中断中、再開待ち）", "games", host, false, false},
    {"conduct", "[NAME]", "who aborted or left games, or met players of the same network, since the start",
     "対局の中止・放棄と同一ネットワーク同士の対局（起動後）", "conduct alice", host, false, false},
    {"kick", "NAME [WHY]", "disconnects a player; a game under way is lost", "プレイヤーを切断する（対局中なら負け）",
     "kick alice plays from two machines", host, true, false, true},
    {"forbid", "NAME [WHY]", "nobody may log in under the name", "その名前でのログインを禁止する",
     "forbid alice until friday", host, true, false, true},
    {"allow", "NAME", "allows a forbidden name again", "禁止した名前を許可する", "allow alice", host, true, false},
    {"forbidden", "", "the forbidden names", "禁止中の名前の一覧", "forbidden", host, false, false},
    {"tell", "NAME|room:ROOM|all TEXT", "a message to players in extended mode (x1)", "拡張モード（x1）の人に伝言する",
     "tell all the next round begins at 14:00", host, true, false},
    {"start", "BLACK WHITE GAME-NAME [startpos|sfen SFEN|buoy NAME|set SET N]",
     "starts a game between two waiting players", "待機中の二人の対局を始める", "start alice bob final-900-5F", host,
     true, false},
    {"pause", "GAME [WHY]", "stops the clocks of a game", "対局を中断する（時計が止まる）", "pause 12 power cut", host,
     true, false},
    {"resume", "GAME [WHY]", "lets a paused game go on", "中断した対局を再開する", "resume 12", host, true, false},
    {"adjudicate", "GAME black|white|draw|void WHY", "ends a game; void counts for nobody",
     "対局を裁定して終える（void は無効）", "adjudicate 12 draw both agreed", host, true, false, true},
    {"restart", "GAME MOVE [WHY]",
     "goes on from the position after that many moves, clocks as they were then; a running game ends void",
     "指定した手数の局面と持ち時間から新しい対局を始める（対局中なら無効になる）", "restart 12 40 network failure",
     host, true, false, true},
    {"accounts", "[NAME]", "the accounts; * stands for any characters", "アカウントの一覧（* は任意の文字列）",
     "accounts club-*", host, false, false},
    {"account", "NAME", "an account and its secrets, which are not shown", "アカウントとその認証情報の一覧",
     "account alice", host, false, false},
    {"account-add", "NAME [player|host|admin] [WHY]", "makes an account", "アカウントを作る", "account-add alice",
     admin, true, false, true},
    {"account-role", "NAME player|host|admin [WHY]", "what the owner of an account may do", "アカウントの権限を変える",
     "account-role alice host referee of the day", admin, true, false, true},
    {"account-delete", "NAME WHY", "takes an account away; its games stay", "アカウントを削除する（棋譜は残る）",
     "account-delete alice left the club", admin, true, false, true},
    {"token", "NAME [LABEL]", "a new secret for a program of the account, told once",
     "プログラム用の秘密の文字列を発行する（一度だけ表示）", "token alice engine at home", admin, true, false, true},
    {"password", "NAME", "a new password for the account instead of the former one, told once",
     "パスワードを発行する（一度だけ表示、以前のものは無効）", "password alice", admin, true, false, true},
    {"revoke", "NAME SECRET [WHY]", "a secret of an account is good no more", "認証情報を無効にする",
     "revoke alice t3 laptop was stolen", admin, true, false, true},
    {"second-factor", "NAME on|off", "whether the account needs one-time codes; a new secret for them is told once",
     "ワンタイムコードを必須にする、またはやめる", "second-factor alice on", admin, true, false, true},
    {"load-accounts", "FILE", "makes accounts of the players of an old server's players.yaml (a file of DATA)",
     "旧サーバーの players.yaml からアカウントを作る", "load-accounts players.yaml", admin, true, true, true},
    {"rooms", "", "the rooms, what they claim, and how many play and wait there", "部屋の一覧（対局数と待機人数）",
     "rooms", host, false, false},
    {"room", "NAME", "what a room says of its games", "部屋の設定", "room club", host, false, false},
    {"set-room", "NAME KEY=VALUE...",
     "makes a room, or changes it for games to come; an empty value takes a setting back",
     "部屋を作る、または設定を変える（進行中の対局は変わらない）",
     "set-room club games=club-* title-en=\"The club\" after-game=stay", host, true, false},
    {"close-room", "NAME [WHY]", "closes a room; its games go on", "部屋を閉じる（進行中の対局は続く）",
     "close-room club the evening is over", host, true, false},
    {"tournaments", "", "the events: how far they have come, and who is here", "大会の一覧と進行状況", "tournaments",
     host, false, false},
    {"tournament", "EVENT", "an event: its rounds, what comes next, its entrants and where they are",
     "大会の進行状況と参加者", "tournament cup", host, false, false},
    {"tournament-table", "EVENT [DIVISION] [ja]", "the table of a division, with what its ranks are decided by",
     "順位表", "tournament-table cup A", host, false, false},
    {"tournament-pairings", "EVENT [DIVISION] [ROUND]", "the pairings of a round, and what became of them",
     "ラウンドの組合せと結果", "tournament-pairings cup 3", host, false, false},
    {"tournament-new", "FILE", "announces an event by a file of the folder tournaments, or changes one not begun",
     "大会を tournaments フォルダのファイルから告知する", "tournament-new cup.toml", host, true, true},
    {"tournament-check", "[ja] TEXT",
     "what the text of an event's file means, or what is wrong with it; \\n stands for the end of a line",
     "大会ファイルの内容を検査して説明する（改行は \\n）", "tournament-check name = \"cup\"\\ntime = \"900-5F\"", host,
     false, true},
    {"tournament-write", "FILE TEXT",
     "makes a file of the folder tournaments of a text, or replaces that of an event not begun",
     "大会ファイルを tournaments フォルダに書く", "tournament-write cup.toml name = \"cup\"\\ntime = \"900-5F\"", host,
     true, true},
    {"tournament-start", "EVENT [WHY]", "an announced event begins; of one that runs the next round begins now",
     "大会を始める。進行中なら次のラウンドをすぐ始める", "tournament-start cup", host, true, false},
    {"tournament-pause", "EVENT [WHY]", "all its games and countdowns stand still",
     "大会全体を中断する（時計も止まる）", "tournament-pause cup power cut", host, true, false},
    {"tournament-resume", "EVENT [WHY]", "a paused event goes on, its clocks from where they stood",
     "中断した大会を再開する", "tournament-resume cup", host, true, false},
    {"tournament-end", "EVENT WHY", "an event is over, whatever is left to play", "大会を打ち切る",
     "tournament-end cup the hall closes", host, true, false, true},
    {"tournament-delete", "EVENT [WHY]",
     "an event that is announced or over is forgotten, with its tables; its games stay, its name is free",
     "告知中または終了した大会を削除する（棋譜は残り、名前は再び使える）", "tournament-delete cup it was a trial", host,
     true, false, true},
    {"tournament-pair", "EVENT [DIVISION] [rematches | BLACK:WHITE... bye:PLAYER...]",
     "pairs the next round now, by its rules, with rematches if it must be, or by hand; says what is doubtful about it",
     "次のラウンドを組む（rematches: やむを得ない再戦を認める。手動の組合せも可）",
     "tournament-pair cup A ann:bob cat:dan bye:eve", host, true, false},
    {"tournament-unpair", "EVENT [DIVISION] [WHY]", "takes back a round without results; the event is paused before",
     "結果のないラウンドの組合せを取り消す", "tournament-unpair cup", host, true, false},
    {"tournament-result", "EVENT GAME black|white|draw|void [WHY]", "sets or corrects the result of a game, as 3.2",
     "対局の結果を入力・訂正する", "tournament-result cup 3.2 draw both agreed", host, true, false},
    {"tournament-adjudicate", "EVENT GAME black|white|draw|void WHY", "ends a running game of the event by a verdict",
     "大会の対局を裁定して終える", "tournament-adjudicate cup 3.2 draw both agreed", host, true, false, true},
    {"tournament-forfeit", "EVENT GAME PLAYER|both [WHY]", "a player, or both, loses a game without playing it",
     "不戦敗にする", "tournament-forfeit cup 3.2 bob not here", host, true, false},
    {"tournament-replay", "EVENT GAME [WHY]", "a game is played again with the same colours; a running one ends",
     "対局を指し直しにする", "tournament-replay cup 3.2 network failure", host, true, false, true},
    {"tournament-enter", "EVENT PLAYER [seed=N] [rate=N] [group=NAME,...] [TITLE]",
     "a player enters, also late, or is changed", "参加者を登録・変更する",
     "tournament-enter cup ann seed=3 Ann of the club", host, true, false},
    {"tournament-withdraw", "EVENT PLAYER [ROUNDS] [WHY]",
     "a player is not paired for so many rounds, or for good: then games not begun are lost",
     "参加者を棄権または欠場にする", "tournament-withdraw cup bob 2 until noon", host, true, false},
    {"tournament-return", "EVENT PLAYER [WHY]", "a player who withdrew is paired again from the next round on",
     "棄権・欠場した参加者を復帰させる", "tournament-return cup bob", host, true, false},
    {"tournament-message", "EVENT TEXT", "a message to the entrants who are in extended mode (x1)",
     "拡張モード（x1）の参加者に伝言する", "tournament-message cup lunch until 13:00", host, true, false},
    {"tournament-export", "EVENT", "everything that was decided in an event, as `fuhyo tournament export` reads it",
     "大会の全決定事項（fuhyo tournament export 用）", "tournament-export cup", host, false, false},
    {"rounds", "", "floodgate groups and when their next rounds are", "floodgate の組と次の対局開始時刻", "rounds",
     host, false, false},
    {"round", "GROUP", "holds a floodgate round now", "floodgate の対局を今すぐ組む", "round floodgate-300-10F", host,
     true, false},
    {"positions", "[SET]", "sets of start positions, or the positions of one", "指定局面集の一覧、またはその中の局面",
     "positions tsec", host, false, false},
    {"load-positions", "SET FILE", "loads a set of start positions from a file of the folder positions",
     "指定局面集を positions フォルダのファイルから読み込む", "load-positions tsec tsec.txt", host, true, true},
    {"drop-positions", "SET", "takes a set of start positions away", "指定局面集を取り除く", "drop-positions tsec",
     host, true, false},
    {"buoys", "[NAME]", "the buoys; * stands for any characters", "ブイの一覧（* は任意の文字列）", "buoys buoy_spam*",
     host, false, false},
    {"drop-buoys", "NAME [WHY]", "takes buoys away, whoever set them; * stands for any characters",
     "ブイを取り除く（* は任意の文字列）", "drop-buoys buoy_spam* nobody plays them", host, true, false},
    {"results", "[GAME-NAME]", "a cross table of finished games; * stands for any characters",
     "終わった対局の対戦成績表（* は任意の文字列）", "results club-*", host, false, true},
    {"export", "GAME|GAME-NAME", "the records of finished games; * stands for any characters",
     "終わった対局の棋譜を出力する", "export club-*", host, false, true},
    {"engines", "", "the built-in engines", "内蔵エンジンの一覧", "engines", host, false, true},
    {"seat", "LINE", "seats a USI engine, in the words of the setting engine", "USI エンジンを着席させる",
     "seat name=Guest engine=/usr/games/gpsusi game=club-900-5F", admin, true, true, true},
    {"unseat", "NAME", "takes a built-in engine away", "内蔵エンジンを外す", "unseat Guest", host, true, true},
    {"workers", "", "machines that bring engines: since when, how fast, what runs there",
     "エンジンを提供するワーカーの一覧（接続時間、速度、使用中の席）", "workers", host, false, true},
    {"worker-drop", "NAME [WHY]", "takes a worker away with its engines; games under way are lost",
     "ワーカーをそのエンジンとともに外す（対局中なら負け）", "worker-drop lab it is too hot", host, true, true},
    {"logins", "[NAME]", "who is logged in on the web", "ウェブにログイン中の人の一覧", "logins aki", host, false,
     true},
    {"logout", "NAME", "ends every session of a name on the web", "ウェブのログインをすべて終わらせる", "logout aki",
     host, true, true},
    {"audit", "[N]", "the last N acts: who, when, why (20)", "操作の履歴（最新 N 件、既定 20）", "audit 50", host,
     false, true},
    {"counters", "", "what the server has to do", "サーバーの状態を表す数値", "counters", host, false, false},
    {"store", "", "what the journal has written since the start", "起動後のジャーナル書き込みの状況", "store", host,
     false, true},
    {"delays", "", "the server's own share of the delay of moves since the start, and of those before time ran out",
     "指し手の中継にサーバーが要した時間（起動後）", "delays", host, false, true},
    {"limits", "", "every limit with its value", "制限値の一覧", "limits", admin, false, false},
    {"operators", "", "who may give these commands", "運営者の一覧", "operators", admin, false, false},
    {"reload", "", "reads the configuration again", "設定を読み直す", "reload", admin, true, true, true},
    {"drain", "[WHY]", "no new logins and games; the server ends after the last game",
     "新しい対局を止め、対局がすべて終わったら終了する", "drain maintenance", admin, true, true, true},
};

}  // namespace

std::string_view to_string(Role role) {
  switch (role) {
    case player:
      return "player";
    case host:
      return "host";
    case admin:
      return "admin";
  }
  return "";
}

std::optional<Role> role_named(std::string_view word) {
  for (const Role role : {player, host, admin}) {
    if (to_string(role) == word) return role;
  }
  return std::nullopt;
}

std::span<const AdminVerb> admin_verbs() { return kVerbs; }

const AdminVerb* find_admin_verb(std::string_view verb) {
  const auto found = std::ranges::find(kVerbs, verb, &AdminVerb::verb);
  return found == std::end(kVerbs) ? nullptr : found;
}

const AdminVerb* admin_verb_of(std::string_view line) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  const auto begin = std::ranges::find_if_not(line, blank);
  std::string word(begin, std::ranges::find_if(begin, line.end(), blank));
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return find_admin_verb(word.empty() ? "help" : std::string_view(word));
}

const AdminVerb* nearest_admin_verb(std::string_view word) {
  constexpr std::size_t kNear = 2;
  const AdminVerb* nearest =
      std::ranges::min_element(kVerbs, {}, [word](const AdminVerb& each) { return distance(word, each.verb); });
  if (distance(word, nearest->verb) <= kNear) return nearest;
  const auto begins = [&](const AdminVerb& each) {
    return word.size() > each.verb.size() && word.starts_with(each.verb) && word[each.verb.size()] == '-';
  };
  const auto* found = std::ranges::find_if(kVerbs, begins);
  return found == std::end(kVerbs) ? nullptr : found;
}

}  // namespace fuhyo::core
