#include "engines/mix/decision_log.h"

#include <boost/json.hpp>

#include "engines/shogi/usi_move.h"

namespace fuhyo::mix {
namespace {

namespace json = boost::json;

json::value value_json(const Value& value) {
  if (value.kind == Value::Kind::estimate) return value.chance;
  std::string text = value.kind == Value::Kind::win ? "mate +" : "mate -";
  if (value.plies != 0) text += std::to_string(value.plies);
  return json::string(text);
}

json::object values_json(const Opinion& opinion) {
  json::object out;
  for (const auto& [move, value] : opinion.values) out[shogi::to_usi(move)] = value_json(value);
  return out;
}

json::object ballot_json(const VoteResult::Ballot& ballot) {
  json::object out{{"name", ballot.name}, {"weight", ballot.before.weight}};
  out["move"] = ballot.before.move ? json::value(shogi::to_usi(ballot.before.move)) : json::value(nullptr);
  out["before"] = values_json(ballot.before);
  out["after"] = values_json(ballot.after);
  return out;
}

}  // namespace

std::string to_json(const VoteResult& result, const shogi::Position& position, std::int64_t unix_ms) {
  json::array ballots;
  for (const VoteResult::Ballot& ballot : result.ballots) ballots.push_back(ballot_json(ballot));
  json::object out{{"time", unix_ms},
                   {"sfen", position.sfen()},
                   {"engines", std::move(ballots)},
                   {"choice", shogi::to_usi(result.choice.move)},
                   {"reason", to_text(result.choice.reason)}};
  if (result.choice.value) out["value"] = value_json(*result.choice.value);
  out["first_ms"] = result.first_ms;
  out["total_ms"] = result.total_ms;
  out["nodes"] = result.nodes;
  return json::serialize(out);
}

std::expected<void, std::string> DecisionLog::open(const std::string& file) {
  if (file == file_ && (file.empty() || out_.is_open())) return {};
  out_ = {};
  file_ = file;
  if (file.empty()) return {};
  out_.open(file, std::ios::app);
  if (out_) return {};
  out_ = {};
  return std::unexpected("DecisionLog: '" + file + "' cannot be written");
}

std::expected<void, std::string> DecisionLog::write(const std::string& line) {
  if (!out_.is_open()) return {};
  out_ << line << std::endl;
  if (out_) return {};
  out_ = {};
  return std::unexpected("DecisionLog: '" + file_ + "' cannot be written any more");
}

}  // namespace fuhyo::mix
