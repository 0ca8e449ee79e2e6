// The page of a run: HTML and SVG by hand.
#include "engines/learn/loop/history.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "engines/learn/data/whole_file.h"
#include "engines/match/svg_panel.h"

namespace fuhyo::learn {
namespace {

using match::escape_xml;
using match::SvgPanel;

std::string polyline(const SvgPanel& panel, const std::vector<LossPoint>& points, std::string_view style) {
  std::string svg = fmt::format("<polyline class=\"{}\" points=\"", style);
  for (const LossPoint& point : points) svg += fmt::format("{:.1f},{:.1f} ", panel.x(point.epoch), panel.y(point.loss));
  return svg + "\"/>\n";
}

std::string below(const SvgPanel& panel, std::string_view words) {
  return panel.text(panel.left() + SvgPanel::kWidth / 2, panel.top() + SvgPanel::kHeight + 15, "middle", words);
}

std::string loss_panel(const GenerationReport& generation, std::size_t index) {
  double low = 1, high = 0, last = 1;
  for (const auto* points : {&generation.training, &generation.validation}) {
    for (const LossPoint& point : *points) {
      low = std::min(low, point.loss), high = std::max(high, point.loss), last = std::max(last, point.epoch);
    }
  }
  // What the first steps lose would leave no room for the rest.
  const double end = generation.validation.empty() ? low : generation.validation.back().loss;
  high = std::min(high, end + 4 * std::max(end - low, 0.01));
  const SvgPanel panel{index, 0, last, low - 0.002, high + 0.002};
  return panel.frame(fmt::format("generation {}: loss", generation.number)) +
         polyline(panel, generation.training, "value") + polyline(panel, generation.validation, "other") +
         below(panel, "epochs; red: games held back");
}

// Elo of each generation above the untrained network: the sum of what those that were accepted gained.
struct Height {
  double value = 0, low = 0, high = 0;
};
std::vector<Height> heights(const RunReport& run) {
  std::vector<Height> out{{}};
  double variance = 0;
  for (const GenerationReport& generation : run.generations) {
    if (!generation.accepted) continue;
    const EloFigure& elo = generation.match.value ? generation.match : generation.test;
    if (!elo.value) break;
    const double error = elo.low && elo.high ? (*elo.high - *elo.low) / 2 : 0;
    variance += error * error;
    const double value = out.back().value + *elo.value;
    out.push_back({value, value - std::sqrt(variance), value + std::sqrt(variance)});
  }
  return out;
}

std::string signed_text(const EloFigure& elo) {
  const auto one = [](const std::optional<double>& value) { return value ? fmt::format("{:+.0f}", *value) : "?"; };
  if (!elo.value && !elo.low && !elo.high) return "";
  return fmt::format("{} [{}, {}]", one(elo.value), one(elo.low), one(elo.high));
}

std::string hours(double seconds) { return fmt::format("{:.2f}", seconds / 3600); }

std::string row_of(const GenerationReport& generation) {
  const bool trained = generation.steps > 0, tested = !generation.verdict.empty();
  std::string row = "<tr>";
  for (const std::string& cell :
       {std::to_string(generation.number), std::to_string(generation.games), std::to_string(generation.positions),
        std::to_string(generation.nodes), trained ? fmt::format("{:.2f}", generation.lambda) : "",
        trained ? std::to_string(generation.samples) : "", trained ? fmt::format("{:.4f}", generation.loss) : "",
        trained && generation.accuracy > 0 ? fmt::format("{:.1f} %", 100 * generation.accuracy) : "",
        trained ? fmt::format("{:.1f} %", 100 * generation.agreement) : "",
        tested ? std::string(generation.accepted ? "yes" : "no") : "",
        tested ? std::to_string(generation.test_games) : "", signed_text(generation.test),
        generation.match_games > 0 ? std::to_string(generation.match_games) : "", signed_text(generation.match),
        hours(generation.play_seconds), hours(generation.train_seconds), hours(generation.gate_seconds)}) {
    row += "<td>" + escape_xml(cell) + "</td>";
  }
  return row + "</tr>\n";
}

}  // namespace

std::string plot_losses(const RunReport& run) {
  std::string svg;
  std::size_t panels = 0;
  for (const GenerationReport& generation : run.generations) {
    if (!generation.training.empty()) svg += loss_panel(generation, panels++);
  }
  return match::svg_document(panels, svg);
}

std::string plot_elo(const RunReport& run) {
  const std::vector<Height> points = heights(run);
  double low = 0, high = 1;
  for (const Height& point : points) low = std::min(low, point.low), high = std::max(high, point.high);
  const SvgPanel panel{0, 0, std::max(1.0, static_cast<double>(points.size() - 1)), low, high * 1.05};
  std::string svg = panel.frame("Elo above " + run.first);
  std::string line = "<polyline class=\"value\" points=\"";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto x = static_cast<double>(i);
    svg += panel.line(x, points[i].low, x, points[i].high, "error");
    line += fmt::format("{:.1f},{:.1f} ", panel.x(x), panel.y(points[i].value));
  }
  return match::svg_document(1, svg + line + "\"/>\n" + below(panel, "networks that were accepted"));
}

std::string to_page(const RunReport& run) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body{{font:15px sans-serif;margin:2em;max-width:1600px}}table{{border-collapse:collapse}}"
      "td,th{{border:1px solid #bbb;padding:.25em .6em;text-align:right;font-variant-numeric:tabular-nums}}"
      "pre{{background:#f4f4f4;padding:1em;overflow:auto}}svg{{max-width:100%;height:auto}}</style></head>\n"
      "<body><h1>{0}</h1>\n<p>Seed {1}. Elo is against the best network before, with its 95 % interval; loss, accuracy "
      "(won games whose winner is favoured) and agreement (best moves that are found without search) are those of "
      "games "
      "held back.</p>\n<table><tr>",
      escape_xml(run.name), run.seed);
  for (const std::string_view title :
       {"generation", "games", "positions", "nodes", "lambda", "learnt from", "loss", "accuracy", "agreement",
        "accepted", "test games", "Elo", "match games", "Elo", "hours: play", "train", "test"}) {
    page += fmt::format("<th>{}</th>", title);
  }
  page += "</tr>\n";
  for (const GenerationReport& generation : run.generations) page += row_of(generation);
  page += "</table>\n" + plot_losses(run) + plot_elo(run);
  return page + fmt::format("<h2>Configuration</h2>\n<pre>{}</pre>\n</body></html>\n", escape_xml(run.configuration));
}

std::expected<void, std::string> write_page(const std::filesystem::path& folder, const RunReport& run) {
  for (const auto& [name, bytes] : {std::pair{"index.html", to_page(run)}, std::pair{"loss.svg", plot_losses(run)},
                                    std::pair{"elo.svg", plot_elo(run)}}) {
    if (auto written = replace_file(folder / name, bytes); !written) return written;
  }
  return {};
}

}  // namespace fuhyo::learn
