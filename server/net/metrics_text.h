// Figures as Prometheus reads them: its text format, version 0.0.4. Pure; any thread.
// https://prometheus.io/docs/instrumenting/exposition_formats/
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "server/core/figures.h"

namespace fuhyo::net {

inline constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

// Writes one family after the other. Names and labels are the program's own words, of [a-z0-9_]; values of labels are
// escaped, but must come from a list that is fixed: never what a player or an operator has written.
class MetricsText {
 public:
  using Label = std::pair<std::string_view, std::string_view>;
  using Labels = std::initializer_list<Label>;
  enum class Kind : std::uint8_t { counter, gauge, histogram };

  // What follows belongs to it.
  MetricsText& family(std::string_view name, Kind kind, std::string_view help);
  MetricsText& value(std::uint64_t value, Labels labels = {});
  MetricsText& value(double value, Labels labels = {});
  // In seconds, with the buckets that a histogram has.
  MetricsText& histogram(const core::Histogram& histogram, Labels labels = {});

  std::string take() { return std::move(text_); }

 private:
  void sample(std::string_view suffix, Labels labels, std::string_view bound, std::string_view value);

  std::string text_, name_;
};

// What the web side has done since the start, and does.
struct HttpFigures {
  std::uint64_t connections = 0, readers = 0;       // now; readers of the event stream
  std::uint64_t crowded = 0;                        // connections that were not taken: too many
  std::array<std::uint64_t, 5> answers{};           // by the first digit of their status, from 1 on
  std::uint64_t waiting_facts = 0, lost_facts = 0;  // of the feed: now; since the start
};
// `healthy`: whether the store works.
std::string web_metrics(bool healthy, const HttpFigures& figures);

}  // namespace fuhyo::net
