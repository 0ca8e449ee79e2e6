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

json::object voice_json(const Outcome::Voice& voice) {
  json::object out{{"name", voice.name}, {"weight", voice.before.weight}};
  out["move"] = voice.before.move ? json::value(shogi::to_usi(voice.before.move)) : json::value(nullptr);
  out["before"] = values_json(voice.before);
  out["after"] = values_json(voice.after);
  return out;
}

}  // namespace

std::string to_json(const Outcome& outcome, const shogi::Position& position, std::int64_t unix_ms) {
  json::array voices;
  for (const Outcome::Voice& voice : outcome.voices) voices.push_back(voice_json(voice));
  json::object out{{"time", unix_ms},
                   {"sfen", position.sfen()},
                   {"engines", std::move(voices)},
                   {"choice", shogi::to_usi(outcome.choice.move)},
                   {"reason", to_text(outcome.choice.reason)}};
  if (outcome.choice.value) out["value"] = value_json(*outcome.choice.value);
  out["first_ms"] = outcome.first_ms;
  out["total_ms"] = outcome.total_ms;
  out["nodes"] = outcome.nodes;
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
