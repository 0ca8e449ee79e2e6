#include "server/net/metrics_text.h"

#include <fmt/format.h>

namespace fuhyo::net {
namespace {

constexpr double kMicroseconds = 1e6;  // a division rounds to what a reader would write

std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || (quotes && c == '"')) out += '\\';
    out += c;
  }
  return out;
}

std::string_view word(MetricsText::Kind kind) {
  switch (kind) {
    case MetricsText::Kind::counter:
      return "counter";
    case MetricsText::Kind::gauge:
      return "gauge";
    case MetricsText::Kind::histogram:
      break;
  }
  return "histogram";
}

}  // namespace

MetricsText& MetricsText::family(std::string_view name, Kind kind, std::string_view help) {
  name_ = name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name, word(kind));
  return *this;
}

MetricsText& MetricsText::value(std::uint64_t value, Labels labels) {
  sample("", labels, {}, fmt::format("{}", value));
  return *this;
}

MetricsText& MetricsText::value(double value, Labels labels) {
  sample("", labels, {}, fmt::format("{}", value));
  return *this;
}

MetricsText& MetricsText::histogram(const core::Histogram& histogram, Labels labels) {
  const auto bounds = histogram.bounds_us();
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    sample("_bucket", labels, fmt::format("{}", static_cast<double>(bounds[i]) / kMicroseconds),
           fmt::format("{}", histogram.upto(i)));
  }
  const std::string count = fmt::format("{}", histogram.count());
  sample("_bucket", labels, "+Inf", count);
  sample("_sum", labels, {}, fmt::format("{}", static_cast<double>(histogram.sum_us()) / kMicroseconds));
  sample("_count", labels, {}, count);
  return *this;
}

void MetricsText::sample(std::string_view suffix, Labels labels, std::string_view bound, std::string_view value) {
  std::string inside;
  const auto add = [&](std::string_view key, std::string_view text) {
    inside += fmt::format("{}{}=\"{}\"", inside.empty() ? "" : ",", key, escaped(text, true));
  };
  for (const auto& [key, text] : labels) add(key, text);
  if (!bound.empty()) add("le", bound);
  text_ += fmt::format("{}{}{}{}{} {}\n", name_, suffix, inside.empty() ? "" : "{", inside, inside.empty() ? "" : "}",
                       value);
}

std::string web_metrics(bool healthy, const HttpFigures& f) {
  using enum MetricsText::Kind;
  static constexpr std::array<std::string_view, 5> kClasses = {"1xx", "2xx", "3xx", "4xx", "5xx"};
  MetricsText text;
  text.family("fuhyo_store_up", gauge, "1 where the store works; 0: it is away, and clocks stand.")
      .value(std::uint64_t{healthy ? 1U : 0U});
  text.family("fuhyo_http_connections", gauge, "Connections of the web side.").value(f.connections);
  text.family("fuhyo_http_responses_total", counter, "Answers of the web side by class of their status.");
  for (std::size_t i = 0; i < kClasses.size(); ++i) text.value(f.answers[i], {{"code", kClasses[i]}});
  text.family("fuhyo_http_refused_connections_total", counter, "Web connections not taken because there were too many.")
      .value(f.crowded);
  text.family("fuhyo_event_readers", gauge, "Open streams of events.").value(f.readers);
  text.family("fuhyo_feed_queued_facts", gauge, "Facts of the journal that the web side has not looked at yet.")
      .value(f.waiting_facts);
  text.family("fuhyo_feed_lost_facts_total", counter, "Facts that spectators were not shown because too many waited.")
      .value(f.lost_facts);
  return text.take();
}

}  // namespace fuhyo::net
