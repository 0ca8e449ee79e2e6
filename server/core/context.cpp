#include "server/core/context.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace fuhyo::core {
namespace {

constexpr Seq kGated{UINT64_MAX};  // stands for "the newest seq of this transaction" until the transaction is complete

// What an effect adds to the digest: everything that leaves the core.
std::string_view digest_text(const Effect& effect) {
  if (const auto* send = std::get_if<Send>(&effect)) return send->bytes;
  if (const auto* close = std::get_if<Close>(&effect)) return close->why;
  if (const auto* reply = std::get_if<AdminReply>(&effect)) return reply->result.text;
  if (const auto* host = std::get_if<HostRequest>(&effect)) return host->rest;
  return {};
}

}  // namespace

bool Refusals::tell(Instant now) {
  if (told_ && now - *told_ < 60 * kSecond) {
    ++silent_;
    return false;
  }
  told_ = now;
  return true;
}

std::string Refusals::untold() {
  const std::size_t count = std::exchange(silent_, 0);
  return count == 0 ? std::string() : fmt::format(" ({} refusals in the minute before)", count);
}

Context::Context(const Limits& limits_in, Rules rules_in, const Recovery& recovered, std::function<void()> appended)
    : limits(limits_in),
      rules(std::move(rules_in)),
      ratings(std::make_shared<PlayerRatings>()),
      newest(recovered.last),
      durable(recovered.last),
      appended_(std::move(appended)),
      rng_(rules.seed),
      hash_(14695981039346656037u) {}

void Context::begin(Now now_in, Effects& out) {
  now = now_in;
  out_ = &out;
  first_effect_ = out.size();
  newest_before_ = newest;
}

void Context::complete() {
  const auto soonest = timers.soonest();
  if (soonest && soonest != armed_) put(WakeAt{*soonest});
  armed_ = soonest;
  const Seq after = newest > durable ? newest : Seq{0};
  for (std::size_t i = first_effect_; i < out_->size(); ++i) {
    Effect& effect = (*out_)[i];
    if (auto* send = std::get_if<Send>(&effect); send && send->after == kGated) send->after = after;
    if (auto* close = std::get_if<Close>(&effect); close && close->after == kGated) close->after = after;
    if (auto* reply = std::get_if<AdminReply>(&effect)) reply->after = only_asks() ? Seq{0} : after;
    if (auto* host = std::get_if<HostRequest>(&effect)) host->after = only_asks() ? Seq{0} : after;
    digest(digest_text(effect));
  }
}

void Context::send(ConnId conn, std::string bytes) { put(Send{conn, std::move(bytes), kGated}); }
void Context::send_ungated(ConnId conn, std::string bytes) { put(Send{conn, std::move(bytes), Seq{0}}); }
void Context::close(ConnId conn, std::string_view why) { put(Close{conn, std::string(why), kGated}); }
void Context::note(Note::Level level, std::string text) { put(Note{level, std::move(text)}); }

std::size_t Context::sent_to(ConnId conn, std::size_t from) const {
  std::size_t bytes = 0;
  for (std::size_t i = from; i < out_->size(); ++i) {
    const auto* send = std::get_if<Send>(&(*out_)[i]);
    if (send != nullptr && send->conn == conn) bytes += send->bytes.size();
  }
  return bytes;
}

Seq Context::append(Fact fact) {
  const Seq seq = newest = next(newest);
  put(Append{Journaled{seq, std::move(fact)}});
  appended_();
  return seq;
}

std::string Context::local_time(Wall at) const {
  const CivilTime t = civil(at, rules.zone);
  return fmt::format("{:04}/{:02}/{:02} {:02}:{:02}:{:02}", t.year, t.month, t.day, t.hour, t.minute, t.second);
}

std::string Context::local_date(Wall at) const {
  const CivilTime t = civil(at, rules.zone);
  return fmt::format("{:04}-{:02}-{:02}", t.year, t.month, t.day);
}

// splitmix64
std::uint64_t Context::random() {
  std::uint64_t z = (rng_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void Context::digest(std::string_view bytes) {
  for (const char c : bytes) digest(std::uint64_t{static_cast<unsigned char>(c)});
}

}  // namespace fuhyo::core
