// Files of results: CSV with a line of names first, or JSON lines. Fields are those of core's ResultRow; others, and
// other names, are refused. Pure but for read_results_file(); any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/tournament/results.h"

namespace fuhyo::app {

inline constexpr std::size_t kMostResultBytes = 16 * 1024 * 1024;

using ResultRows = std::expected<std::vector<core::tournament::ResultRow>, std::vector<core::tournament::Problem>>;

ResultRows parse_results_csv(std::string_view text);
ResultRows parse_results_jsonl(std::string_view text);
std::string results_csv(std::span<const core::tournament::ResultRow> rows);

// By its name: .csv, .jsonl or .trf (trf.h). The error is for people, a line each.
std::expected<std::vector<core::tournament::ResultRow>, std::string> read_results_file(
    const std::filesystem::path& path);

}  // namespace fuhyo::app
