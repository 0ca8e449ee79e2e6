#include "tests/support/virtual_server.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace fuhyo::test {

core::Rules test_rules() {
  core::Rules rules;
  rules.event = "ev";
  // Any pure function will do where no real trip is compared; 32 digits like the real one.
  rules.trip_hash = [](std::string_view trip) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : trip) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    const std::string digits = std::to_string(hash);
    return std::string(32 - digits.size(), '0') + digits;
  };
  return rules;
}

core::Recovery recovery_of(const std::vector<core::Journaled>& journal, core::Seq durable) {
  core::Recovery recovery{.last = durable};
  std::set<core::GameId> over;
  std::map<std::string, core::Journaled> keyed_facts;
  for (const core::Journaled& row : journal) {
    if (row.seq > durable) break;
    if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) recovery.last_game = opened->game;
    if (std::holds_alternative<core::GameEnded>(row.fact) || std::holds_alternative<core::GameRejected>(row.fact)) {
      over.insert(core::game_of(row.fact));
    }
    if (const auto key = core::keyed_fact_of(row.fact)) {
      std::erase_if(keyed_facts, [&](const auto& entry) {
        return key->prefix ? entry.first.starts_with(key->key) : entry.first == key->key;
      });
      if (!key->deleted) keyed_facts.emplace(key->key, row);
    }
  }
  for (const core::Journaled& row : journal) {
    const core::GameId game = core::game_of(row.fact);
    if (row.seq <= durable && game != core::GameId{} && !over.contains(game)) recovery.live.push_back(row);
  }
  for (auto& [key, row] : keyed_facts) recovery.keyed_facts.push_back(row);
  std::ranges::sort(recovery.keyed_facts, {}, &core::Journaled::seq);
  recovery.last_stamp = 20261121041441 + journal.size();
  return recovery;
}

VirtualServer::VirtualServer(core::Rules rules, core::Limits limits, core::Recovery recovered, std::int64_t at_ms)
    : rules_(std::move(rules)), limits_(limits), now_us_(at_ms * 1000) {
  begin(std::move(recovered));
}

void VirtualServer::begin(core::Recovery recovered) {
  durable_ = recovered.last;
  outbox_ = core::Outbox(durable_);
  server_ = std::make_unique<core::Server>(limits_, rules_, recovered);
  core::Effects effects;
  server_->begin(now(), effects);
  carry_out(std::move(effects));
  flush();
}

void VirtualServer::kill() {
  past_ = history();
  std::erase_if(past_, [this](const core::Journaled& row) { return row.seq > durable_; });
  journal_.clear();
  clients_.clear();
  queue_.clear();
  notes_.clear();
  wake_us_ = -1;
  hold_commits_ = drained_ = false;
  begin(recovery_of(past_, durable_));
}

std::vector<core::Journaled> VirtualServer::history() const {
  std::vector<core::Journaled> all = past_;
  all.insert(all.end(), journal_.begin(), journal_.end());
  return all;
}

void VirtualServer::deliver(const core::Input& input) {
  queue_.push_back(input);
  if (busy_) return;
  busy_ = true;
  while (!queue_.empty()) {
    const core::Input next = std::move(queue_.front());
    queue_.pop_front();
    core::Effects effects;
    server_->apply(next, now(), effects);
    carry_out(std::move(effects));
  }
  busy_ = false;
  flush();
}

void VirtualServer::carry_out(core::Effects effects) {
  bool appended = false;
  for (core::Effect& effect : effects) {
    if (auto* send = std::get_if<core::Send>(&effect)) outbox_.push(*send);
    if (auto* close = std::get_if<core::Close>(&effect)) outbox_.push(*close);
    if (auto* wake = std::get_if<core::WakeAt>(&effect)) wake_us_ = wake->when.us;
    if (auto* note = std::get_if<core::Note>(&effect)) notes_.push_back(note->text);
    if (std::holds_alternative<core::Drained>(effect)) drained_ = true;
    if (auto* reply = std::get_if<core::AdminReply>(&effect)) admin_replies_.push_back(*reply);
    if (auto* request = std::get_if<core::HostRequest>(&effect)) host_requests_.push_back(*request);
    if (auto* check = std::get_if<core::CheckPassword>(&effect)) password_checks_.push_back(*check);
    if (auto* answer = std::get_if<core::WebLoginAnswer>(&effect)) web_answers_.push_back(*answer);
    if (auto* changed = std::get_if<core::AccountChanged>(&effect)) changed_accounts_.push_back(changed->name);
    if (auto* asked = std::get_if<core::ChatAsked>(&effect)) asked_in_chat_.push_back(*asked);
    if (auto* throttle = std::get_if<core::Throttle>(&effect)) {
      if (Client* client = of(throttle->conn)) client->throttled = throttle->paused;
    }
    if (auto* append = std::get_if<core::Append>(&effect)) {
      journal_.push_back(append->row);
      appended = true;
    }
    if (auto* pass = std::get_if<core::ReadPass>(&effect)) {
      if (on_read_pass) on_read_pass(pass->conn);
      queue_.push_back(core::ReadPassed{pass->conn, pass->token});
    }
  }
  if (appended && !hold_commits_) commit();
}

void VirtualServer::commit() {
  if (journal_.empty() || durable_ == journal_.back().seq) return;
  durable_ = journal_.back().seq;
  outbox_.durable(durable_);
  deliver(core::Durable{durable_});
}

void VirtualServer::flush() {
  for (core::Outbox::Ready& ready : outbox_.take()) {
    Client* client = of(ready.conn);
    if (client == nullptr || !client->open) continue;
    client->unread += ready.bytes;
    for (std::size_t end; (end = client->unread.find('\n')) != std::string::npos; client->unread.erase(0, end + 1)) {
      client->lines.push_back(client->unread.substr(0, end));
    }
    if (!ready.close) continue;
    client->lines.emplace_back("[EOF]");
    client->open = false;
    deliver(core::Closed{ready.conn, "closed by the server"});
  }
}

void VirtualServer::advance_to(std::int64_t ms) {
  while (wake_us_ >= 0 && wake_us_ <= ms * 1000) {
    now_us_ = std::max(now_us_, std::exchange(wake_us_, -1));
    deliver(core::Woke{});
  }
  now_us_ = std::max(now_us_, ms * 1000);
}

void VirtualServer::open(const std::string& client, std::string_view room, std::string_view address, bool secure,
                         core::ConnectionKind kind) {
  const core::ConnId conn{++connections_};
  clients_[client] = Client{.conn = conn, .unread = {}, .lines = {}};
  deliver(core::Opened{conn, kind, std::string(room), std::string(address) + ":" + std::to_string(10000 + connections_),
                       secure});
}

void VirtualServer::say(const std::string& client, std::string_view line, std::int64_t late_ms, bool crlf) {
  if (!clients_.contains(client)) open(client);
  deliver(core::ClientLine{clients_.at(client).conn, std::string(line), core::Instant{now_us_ - late_ms * 1000}, crlf});
}

core::AdminResult VirtualServer::admin(const std::string& text, const std::string& who) {
  const std::uint64_t token = admin_replies_.size() + 1;
  deliver(core::AdminLine{.token = token, .who = who, .text = text});
  for (const core::AdminReply& reply : admin_replies_) {
    if (reply.token == token && reply.after <= durable_) return reply.result;
  }
  return {.ok = false, .text = "(no answer yet)", .columns = {}, .rows = {}};
}

std::string VirtualServer::start_game(const std::string& black, const std::string& white, std::string_view game) {
  login_x1(black);
  login_x1(white);
  say(black, "%%GAME " + std::string(game) + " +");
  say(white, "%%GAME " + std::string(game) + " -");
  std::string id;
  for (const std::string& line : heard(black)) {
    if (line.starts_with("Game_ID:")) id = line.substr(8);
  }
  agree(black, white);
  heard(black);
  heard(white);
  return id;
}

void VirtualServer::start_csa_game(std::string_view game) {
  log_in("A", fmt::format("A {}-B,a", game));
  log_in("B", fmt::format("B {}-W,b", game));
  agree("A", "B");
  forget_heard();
}

VirtualServer::Client* VirtualServer::of(core::ConnId conn) {
  for (auto& [name, client] : clients_) {
    if (client.conn == conn) return &client;
  }
  return nullptr;
}

}  // namespace fuhyo::test
