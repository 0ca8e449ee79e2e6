#include "tests/bench/usi_player.h"

#include <stdexcept>

#include "engines/usi/text.h"

namespace fuhyo::bench {

UsiPlayer::UsiPlayer(const std::string& command, const std::vector<std::string>& options) : command_(command) {
  const auto words = usi::split_command(command);
  if (!words) throw std::runtime_error(words.error());
  usi::ChildProcess::Events events{.line =
                                       [this](std::string line) {
                                         const std::lock_guard lock(mutex_);
                                         lines_.push_back(std::move(line));
                                         changed_.notify_one();
                                       },
                                   .closed =
                                       [this](std::string) {
                                         const std::lock_guard lock(mutex_);
                                         closed_ = true;
                                         changed_.notify_one();
                                       }};
  auto spawned = usi::ChildProcess::spawn(
      {.command = *words, .show_stderr = true, .bytes_per_second = std::size_t{1} << 30}, std::move(events));
  if (!spawned) throw std::runtime_error(spawned.error());
  process_ = std::move(*spawned);
  ask("usi", "usiok");
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) throw std::runtime_error("an option is NAME=VALUE, not " + option);
    set(std::string_view(option).substr(0, equals), std::string_view(option).substr(equals + 1));
  }
}

void UsiPlayer::set(std::string_view name, std::string_view value) {
  send("setoption name " + std::string(name) + " value " + std::string(value));
}

void UsiPlayer::new_game() {
  ask("isready", "readyok");
  send("usinewgame");
}

usi::BestMove UsiPlayer::think(const std::string& position, const std::string& go, int* score) {
  send(position);
  send(go);
  while (true) {
    const std::string line = next_line();
    std::string_view rest = line;
    const std::string_view word = usi::next_word(rest);
    if (word == "bestmove") {
      const auto best = usi::parse_bestmove(rest);
      if (!best) throw std::runtime_error(command_ + ": " + best.error());
      return *best;
    }
    if (score == nullptr || word != "info") continue;
    if (const auto told = usi::parse_info(rest).score) {
      *score = told->kind == usi::Score::Kind::cp    ? told->value
               : told->kind == usi::Score::Kind::win ? 30'000
                                                     : -30'000;
    }
  }
}

void UsiPlayer::send(std::string_view line) {
  if (!process_->write_line(line)) throw std::runtime_error(command_ + ": is gone");
}

std::string UsiPlayer::next_line() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !lines_.empty(); });
  if (lines_.empty()) throw std::runtime_error(command_ + ": has ended");
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  if (line.starts_with("info string Error!")) throw std::runtime_error(command_ + ": " + line);
  return line;
}

void UsiPlayer::ask(std::string_view line, std::string_view answer) {
  send(line);
  while (!next_line().starts_with(answer)) {
  }
}

}  // namespace fuhyo::bench
