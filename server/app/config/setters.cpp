#include "server/app/config/setters.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engines/shogi/number.h"
#include "engines/usi/process.h"
#include "server/app/config/network_list.h"
#include "server/app/serve/round_files.h"
#include "server/csa/command.h"
#include "server/csa/game_name.h"
#include "server/host/engine_analyst.h"
#include "server/host/player_line.h"
#include "server/net/endpoint.h"
#include "server/net/web_guard.h"

namespace fuhyo::app {
namespace {

using Words1 = const std::vector<std::string>&;

constexpr std::size_t kMaxEvent = 32, kMaxName = 32;

Fine parse_number(int& out, const std::string& word, int least, int most) {
  const auto value = shogi::number_of<int>(word);
  if (!value || *value < least || *value > most) {
    return std::unexpected(fmt::format("'{}' is no number from {} to {}", word, least, most));
  }
  out = *value;
  return {};
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    words.emplace_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

Setter set_number(int ServeConfig::* field, int least, int most) {
  return {[=](ServeConfig& config, Words1 words) { return parse_number(config.*field, words.front(), least, most); },
          fmt::format("from {} to {}", least, most)};
}

std::string none_of(std::string_view word, const std::vector<std::string>& choices) {
  return fmt::format("'{}' is none of: {}", word, fmt::join(choices, ", "));
}

Setter set_choice(std::string ServeConfig::* field, const std::vector<std::string>& choices) {
  std::vector<std::pair<std::string, std::string>> as_they_are;
  for (const std::string& word : choices) as_they_are.emplace_back(word, word);
  return set_choice(field, std::move(as_they_are));
}

Setter set_flag(bool ServeConfig::* field) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    const bool on = words.front() == "true" || words.front() == "1";
    if (!on && words.front() != "false" && words.front() != "0") {
      return std::unexpected(fmt::format("'{}' is neither true nor false", words.front()));
    }
    config.*field = on;
    return {};
  };
}

Fine set_store(ServeConfig& config, Words1 words) {
  if (!words.front().empty()) {
    if (const auto store = store::make_store(words.front()); !store) return std::unexpected(store.error());
  }
  config.store = words.front();
  return {};
}

Setter set_path(std::filesystem::path ServeConfig::* field, bool may_be_empty) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    if (words.front().empty() && !may_be_empty) return std::unexpected("a folder must be named");
    config.*field = words.front();
    return {};
  };
}

Setter set_networks(NetworkList ServeConfig::* field) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    auto list = NetworkList::parse(words);
    if (!list) return std::unexpected(std::move(list.error()));
    config.*field = std::move(*list);
    return {};
  };
}

Setter set_addresses(std::vector<std::string> ServeConfig::* field, bool may_be_off) {
  return [=](ServeConfig& config, Words1 words) -> Fine {
    (config.*field).clear();
    if (may_be_off && words == std::vector<std::string>{"off"}) return {};
    if (words.empty()) return std::unexpected("there is no address");
    for (const std::string& word : words) {
      if (const auto address = net::parse_host_port(word); !address) return std::unexpected(address.error());
    }
    config.*field = words;
    return {};
  };
}

// Addresses that nobody has to name.
Setter set_more_addresses(std::vector<std::string> ServeConfig::* field) {
  return [=, set = set_addresses(field, true)](ServeConfig& config, Words1 words) -> Fine {
    (config.*field).clear();
    return words.empty() ? Fine{} : set.apply(config, words);
  };
}

Fine set_web_hosts(ServeConfig& config, Words1 words) {
  for (const std::string& word : words) {
    if (!net::is_host(word)) return std::unexpected(fmt::format("'{}' is no host, such as shogi.example:8081", word));
  }
  config.web_hosts = words;
  return {};
}

Fine set_event(ServeConfig& config, Words1 words) {
  if (!csa::is_identifier(words.front(), kMaxEvent)) {
    return std::unexpected(fmt::format(
        "'{}' is no event name: 1 to {} of A-Z a-z 0-9 _ @ . - (it begins every Game_ID)", words.front(), kMaxEvent));
  }
  config.event = words.front();
  return {};
}

Fine set_clock(ServeConfig& config, Words1 words) {
  if (!csa::parse_game_name("x-" + words.front(), 1)) {
    return std::unexpected(fmt::format("'{}' is no clock, such as 300-5F or 600-30", words.front()));
  }
  config.clock = words.front();
  return {};
}

Fine set_engines(ServeConfig& config, Words1 words) {
  for (const std::string& word : words) {
    if (const auto player = host::parse_player_line(word); !player) return std::unexpected(player.error());
  }
  config.engines = words;
  return {};
}

Fine set_commentator(ServeConfig& config, Words1 words) {
  if (words.front().empty()) return std::unexpected("off, builtin or a file is needed");
  config.commentator = words.front();
  return {};
}

Fine set_analysis_engine(ServeConfig& config, Words1 words) {
  config.analysis_engine.clear();
  if (words.front().empty()) return {};
  auto command = usi::split_command(words.front());
  if (!command) return std::unexpected(command.error());
  config.analysis_engine = std::move(*command);
  return {};
}

Fine set_analysis_options(ServeConfig& config, Words1 words) {
  config.analysis_options.clear();
  for (const std::string& word : words) {
    auto option = host::parse_analysis_option(word);
    if (!option) return std::unexpected(option.error());
    config.analysis_options.push_back(std::move(*option));
  }
  return {};
}

// shogi-server's flag takes one word with commas.
Fine set_floodgate_games(ServeConfig& config, Words1 words) {
  config.floodgate_games.clear();
  for (const std::string& word : words) {
    for (std::string& name : split_list(word)) {
      if (const auto fine = check_group_name(name); !fine) return fine;
      if (std::ranges::find(config.floodgate_games, name) != config.floodgate_games.end()) {
        return std::unexpected(fmt::format("{} is named twice", name));
      }
      config.floodgate_games.push_back(std::move(name));
    }
  }
  return {};
}

Fine set_operators(ServeConfig& config, Words1 words) {
  config.operators.clear();
  for (const std::string& word : words) {
    auto post = parse_operator(word);
    if (!post) return std::unexpected(post.error());
    if (std::ranges::find(config.operators, post->name, &Operator::name) != config.operators.end()) {
      return std::unexpected(fmt::format("there are two operators {}", post->name));
    }
    config.operators.push_back(std::move(*post));
  }
  return {};
}

Fine set_workers(ServeConfig& config, Words1 words) {
  config.workers.clear();
  for (const std::string& word : words) {
    auto post = parse_worker(word);
    if (!post) return std::unexpected(post.error());
    if (std::ranges::find(config.workers, post->name, &WorkerPost::name) != config.workers.end()) {
      return std::unexpected(fmt::format("there are two workers {}", post->name));
    }
    config.workers.push_back(std::move(*post));
  }
  return {};
}

Fine set_reserved_names(ServeConfig& config, Words1 words) {
  for (const std::string& word : words) {
    if (!csa::is_identifier(word, kMaxName)) return std::unexpected(fmt::format("'{}' is no name of a player", word));
  }
  config.reserved_names = words;
  return {};
}

}  // namespace fuhyo::app
