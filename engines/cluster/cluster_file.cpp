#include "engines/cluster/cluster_file.h"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>

#include "engines/machine/toml_table.h"

namespace fuhyo::cluster {
namespace {

constexpr std::array<std::string_view, 3> kRoles = {"root", "search", "mate"};
constexpr std::array<std::string_view, 3> kExchanges = {"off", "lines", "depth"};

std::string one_of(std::span<const std::string_view> words) { return fmt::format("'{}'", fmt::join(words, "' or '")); }

void read_modes(machine::TomlTable& table, Modes& modes) {
  table.word("exchange", [&](const std::string& word) {
    if (std::ranges::find(kExchanges, word) == kExchanges.end()) return one_of(kExchanges);
    modes.exchange = word;
    return std::string();
  });
  table.integer("exchange_depth", modes.exchange_depth, 1, 100);
  table.integer("exchange_bytes", modes.exchange_bytes, 1'000, 1'000'000'000);
  table.integer("lockstep", modes.lockstep, 0, 1'000'000);
  table.integer("ponder_replies", modes.ponder_replies, 1, 100);
  table.flag("split", modes.split);
  table.integer("list_ms", modes.list_ms, 1, 10'000);
  table.integer("answer_ms", modes.answer_ms, 1, 10'000);
}

void read_node(machine::TomlTable& table, const std::string& beside, NodeSettings& node) {
  members::Member::Setup& setup = node.config.setup;
  std::string command, options;
  table.text("name", setup.name);
  table.text("command", command);
  table.path("dir", node.config.folder);
  table.text("options", options);
  table.integer("threads", node.threads, 1, 4'096);
  table.integer("memory", node.memory_mb, 1, 16'000'000);
  table.word("role", [&](const std::string& word) {
    const auto found = std::ranges::find(kRoles, word);
    if (found == kRoles.end()) return one_of(kRoles);
    node.role = static_cast<Role>(found - kRoles.begin());
    return std::string();
  });
  const auto words = members::parse_command(command, beside);
  const auto given = members::parse_options(options);
  if (setup.name.empty()) return table.complain("a node has a 'name'");
  if (!words) return table.complain(setup.name + ": command: " + words.error());
  if (!given) return table.complain(setup.name + ": options: " + given.error());
  node.config.command = *words;
  setup.options = *given;
}

std::string wrong_nodes(const std::vector<NodeSettings>& nodes) {
  const auto searches = [](const NodeSettings& node) { return node.role != Role::mate; };
  if (nodes.size() > kMostNodes) return fmt::format("there are more than {} nodes", kMostNodes);
  if (std::ranges::none_of(nodes, searches)) return "there is no node that searches: [[node]]";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string& name = nodes[i].config.setup.name;
    const auto same = [&](const NodeSettings& other) { return other.config.setup.name == name; };
    if (std::any_of(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      return "two nodes are called '" + name + "'";
    }
  }
  return {};
}

}  // namespace

void spread_over_ranks(ClusterFile& file, int ranks) {
  std::vector<NodeSettings> nodes;
  for (const NodeSettings& node : file.nodes) {
    const std::vector<std::string>& words = node.config.command;
    const bool everywhere = words.size() > 2 && words[0] == kRank && words[1] == "*";
    for (int rank = 1; rank <= (everywhere ? ranks : 1); ++rank) {
      NodeSettings& one = nodes.emplace_back(node);
      if (!everywhere) continue;
      one.config.command[1] = std::to_string(rank);
      one.config.setup.name += "-" + std::to_string(rank);
    }
  }
  file.nodes = std::move(nodes);
}

std::string_view to_text(Role role) { return kRoles[static_cast<std::size_t>(role)]; }

std::expected<ClusterFile, std::string> parse_cluster_file(std::string_view text, const std::filesystem::path& file,
                                                           const std::string& beside) {
  const auto parsed = machine::parse_toml(text, file);
  if (!parsed) return std::unexpected(parsed.error());
  ClusterFile cluster;
  std::string wrong;
  machine::TomlTable root(*parsed, "", file, wrong);
  root.part("cluster", [&](machine::TomlTable& table) { read_modes(table, cluster.modes); });
  root.parts("node", [&](machine::TomlTable& table) { read_node(table, beside, cluster.nodes.emplace_back()); });
  root.finish();
  if (wrong.empty()) {
    if (const std::string error = wrong_nodes(cluster.nodes); !error.empty()) wrong = file.string() + ": " + error;
  }
  if (!wrong.empty()) return std::unexpected(wrong);
  return cluster;
}

}  // namespace fuhyo::cluster
