// How fast ratings are made as shogi-server makes them: reading a list of results, rating it, rating it again from the
// former rates.
//   rating_bench [FILE]           a 00LIST; "small": a made list of 200 games; nothing: one of 100,000 of 500 players
//   rating_bench --write FOLDER   writes the made lists, and the record files that mk_rate opens for games that a
//                                 player left: cd FOLDER && mk_rate --base-date 2026-01-01 huge.list, with TZ=UTC
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/core/rating/shogi_server.h"
#include "server/store/results/collector.h"
#include "server/store/results/list.h"
#include "tests/bench/measure.h"
#include "tests/support/list_maker.h"

namespace {

namespace rating = fuhyo::core::rating;
using fuhyo::bench::seconds_of;

constexpr fuhyo::core::Wall kBase{1'767'225'600 * fuhyo::core::kSecond};  // 2026-01-01 00:00:00 UTC

void write_record(const std::string& path, int plies) {
  std::ofstream out(path, std::ios::binary);
  for (int ply = 0; ply < plies; ++ply) out << (ply % 2 == 0 ? "+2726FU\n" : "-8384FU\n");
}

int write_lists(const std::string& folder) {
  const std::pair<const char*, fuhyo::test::ListPlan> lists[] = {{"small", fuhyo::test::small_list()},
                                                                 {"middle", fuhyo::test::middle_list()},
                                                                 {"large", fuhyo::test::large_list()},
                                                                 {"huge", fuhyo::test::huge_list()}};
  for (auto [name, plan] : lists) {
    plan.folder = folder + "/" + name;
    std::filesystem::create_directories(plan.folder);
    const std::string text = fuhyo::test::make_list(plan);
    std::ofstream(plan.folder + ".list", std::ios::binary) << text;
    std::string_view rest = text;
    while (!rest.empty()) {
      const auto line = fuhyo::store::parse_result_line(rest.substr(0, rest.find('\n')));
      if (line && line->kind == "abnormal") write_record(std::string(line->record), line->plies.value_or(0));
      rest.remove_prefix(rest.find('\n') + 1);
    }
  }
  return 0;
}

int measure(const std::string& text, const std::string& name) {
  fuhyo::store::ResultCollector results({});
  const double reading = seconds_of([&] { results.add_list(text, name); });
  const rating::Games& games = results.games();
  const rating::ShogiServerRules rules{.base = kBase};
  auto rated = fuhyo::bench::sure(rating::rate_as_shogi_server(games, rules));
  const double rating_cold = seconds_of([&] { rated = *rating::rate_as_shogi_server(games, rules); });
  const auto former = rated.table;
  const double rating_warm = seconds_of([&] { rated = *rating::rate_as_shogi_server(games, rules, &former); });
  std::printf("%s: %zu games, %zu players rated of %zu, %zu lines that are none\n", name.c_str(), games.size(),
              rated.exact.size(), games.players().size(), results.faults().size());
  std::printf("reading %.3f s  rating %.3f s  together %.3f s  rating again from the former rates %.3f s\n", reading,
              rating_cold, reading + rating_cold, rating_warm);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "--write") return write_lists(argv[2]);
  if (argc < 2) return measure(fuhyo::test::make_list(fuhyo::test::huge_list()), "made list");
  if (std::string_view(argv[1]) == "small") return measure(fuhyo::test::make_list(fuhyo::test::small_list()), "small");
  std::ifstream in(argv[1], std::ios::binary);
  return measure({std::istreambuf_iterator<char>(in), {}}, argv[1]);
}
