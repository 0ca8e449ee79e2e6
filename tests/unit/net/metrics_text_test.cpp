// The text that Prometheus reads.
#include "server/net/metrics_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fuhyo::net {
namespace {

using enum MetricsText::Kind;
using testing::HasSubstr;

TEST(MetricsText, FamiliesWithLabels) {
  MetricsText text;
  text.family("games", gauge, "Games by how\nthey \\stand.")
      .value(std::uint64_t{18'446'744'073'709'551'615U}, {{"state", "a"}, {"kind", "q\"\\\n"}});
  text.family("time_seconds_total", counter, "Time.").value(0.25);
  EXPECT_EQ(text.take(),
            "# HELP games Games by how\\nthey \\\\stand.\n"
            "# TYPE games gauge\n"
            "games{state=\"a\",kind=\"q\\\"\\\\\\n\"} 18446744073709551615\n"
            "# HELP time_seconds_total Time.\n"
            "# TYPE time_seconds_total counter\n"
            "time_seconds_total 0.25\n");
}

TEST(MetricsText, BucketsAreInSecondsAndAddUp) {
  static constexpr std::int64_t kBounds[] = {250, 1'000'000};
  core::Histogram histogram(kBounds);
  for (const std::int64_t us : {250, 300, 2'000'000}) histogram.add(us);
  MetricsText text;
  text.family("echo_seconds", MetricsText::Kind::histogram, "Echo.").histogram(histogram, {{"to", "x"}});
  EXPECT_EQ(text.take(),
            "# HELP echo_seconds Echo.\n"
            "# TYPE echo_seconds histogram\n"
            "echo_seconds_bucket{to=\"x\",le=\"0.00025\"} 1\n"
            "echo_seconds_bucket{to=\"x\",le=\"1\"} 2\n"
            "echo_seconds_bucket{to=\"x\",le=\"+Inf\"} 3\n"
            "echo_seconds_sum{to=\"x\"} 2.00055\n"
            "echo_seconds_count{to=\"x\"} 3\n");
}

TEST(MetricsText, OfTheWebSide) {
  const std::string page = web_metrics(false, {.connections = 3, .crowded = 2, .answers = {0, 7, 0, 1, 0}});
  EXPECT_THAT(page, HasSubstr("\nfuhyo_store_up 0\n"));
  EXPECT_THAT(page, HasSubstr("\nfuhyo_http_connections 3\n"));
  EXPECT_THAT(page, HasSubstr("{code=\"2xx\"} 7\n"));
  EXPECT_THAT(page, HasSubstr("{code=\"4xx\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("\nfuhyo_http_refused_connections_total 2\n"));
  EXPECT_THAT(web_metrics(true, {}), HasSubstr("\nfuhyo_store_up 1\n"));
}

}  // namespace
}  // namespace fuhyo::net
