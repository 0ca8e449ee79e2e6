#include "server/host/worker_pool.h"

#include <utility>
#include <variant>

namespace fuhyo::host {

class WorkerPool::Process final : public usi::ChildProcess {
 public:
  Process(std::shared_ptr<WorkerPool> pool, WorkerSeat seat) : pool_(std::move(pool)), seat_(seat) {}
  ~Process() override { pool_->end(seat_); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool write_line(std::string_view line) override { return pool_->write(seat_, line); }
  void kill() override { pool_->kill(seat_); }
  // The cores of its machine are the worker's.
  void bind(const std::vector<int>& /*cores*/) override {}
  // Engines of servers are told "quit" by nobody: this is their end.
  void close_input() override { pool_->kill(seat_); }

 private:
  const std::shared_ptr<WorkerPool> pool_;
  const WorkerSeat seat_;
};

EngineRunner::Spawn WorkerPool::spawner(std::string worker, int engine) {
  return [pool = shared_from_this(), worker = std::move(worker), engine](usi::ChildProcess::Events events,
                                                                         const std::vector<int>& /*cores*/) {
    return pool->start(worker, engine, std::move(events));
  };
}

std::expected<std::unique_ptr<usi::ChildProcess>, std::string> WorkerPool::start(const std::string& worker, int engine,
                                                                                 usi::ChildProcess::Events events) {
  const std::lock_guard lock(mutex_);
  const auto seat = server_.start(worker, engine);
  if (!seat) return std::unexpected(seat.error());
  listeners_.emplace(*seat, std::move(events));
  carry_out();
  return std::make_unique<Process>(shared_from_this(), *seat);
}

bool WorkerPool::write(WorkerSeat seat, std::string_view line) {
  const std::lock_guard lock(mutex_);
  const bool taken = server_.write(seat, line);
  carry_out();
  return taken;
}

void WorkerPool::kill(WorkerSeat seat) {
  const std::lock_guard lock(mutex_);
  server_.end(seat);
  carry_out();
  WorkerServer::Ended ended{seat, "killed"};
  on(ended);
}

void WorkerPool::end(WorkerSeat seat) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(seat);
  server_.end(seat);
  carry_out();
}

// ---- the listener ----

void WorkerPool::change(WorkerServer::Rules rules) {
  const std::lock_guard lock(mutex_);
  server_.change(std::move(rules));
  carry_out();
}

void WorkerPool::opened(core::ConnId conn, std::string address, core::Instant now) {
  const std::lock_guard lock(mutex_);
  server_.opened(conn, std::move(address), now);
  carry_out();
}

void WorkerPool::line(core::ConnId conn, std::string_view text, core::Instant now) {
  const std::lock_guard lock(mutex_);
  server_.line(conn, text, now);
  carry_out();
}

void WorkerPool::bad_input(core::ConnId conn, std::string_view why, core::Instant now) {
  const std::lock_guard lock(mutex_);
  server_.bad_input(conn, why, now);
  carry_out();
}

void WorkerPool::closed(core::ConnId conn, core::Instant now) {
  const std::lock_guard lock(mutex_);
  server_.closed(conn, now);
  carry_out();
}

void WorkerPool::tick(core::Instant now) {
  const std::lock_guard lock(mutex_);
  server_.tick(now);
  carry_out();
}

void WorkerPool::shut() {
  const std::lock_guard lock(mutex_);
  hooks_ = {};
}

void WorkerPool::tell(const std::string& worker, std::string_view text) {
  const std::lock_guard lock(mutex_);
  server_.tell(worker, text);
  carry_out();
}

bool WorkerPool::drop(const std::string& worker) {
  const std::lock_guard lock(mutex_);
  const bool dropped = server_.drop(worker);
  carry_out();
  return dropped;
}

std::vector<WorkerServer::Row> WorkerPool::rows() const {
  const std::lock_guard lock(mutex_);
  return server_.rows();
}

// ---- what the server wants ----

void WorkerPool::carry_out() {
  for (WorkerServer::Output& output : server_.take()) {
    std::visit([this](auto& o) { on(o); }, output);
  }
}

void WorkerPool::on(WorkerServer::Send& o) {
  if (hooks_.send) hooks_.send(o.conn, std::move(o.line));
}
void WorkerPool::on(WorkerServer::Close& o) {
  if (hooks_.close) hooks_.close(o.conn);
}
void WorkerPool::on(WorkerServer::Known& o) {
  if (hooks_.known) hooks_.known(o.conn);
}
void WorkerPool::on(WorkerServer::Offered& o) {
  if (hooks_.offered) hooks_.offered(std::move(o));
}
void WorkerPool::on(WorkerServer::Present& o) {
  if (hooks_.present) hooks_.present(std::move(o));
}
void WorkerPool::on(WorkerServer::Noted& o) {
  if (hooks_.log) hooks_.log(o.warning, o.text);
}

void WorkerPool::on(WorkerServer::Said& o) {
  const auto listener = listeners_.find(o.seat);
  if (listener != listeners_.end()) listener->second.line(std::move(o.line));
}

void WorkerPool::on(WorkerServer::Ended& o) {
  const auto listener = listeners_.find(o.seat);
  if (listener == listeners_.end()) return;
  const auto closed = std::move(listener->second.closed);
  listeners_.erase(listener);
  closed(std::move(o.why));
}

}  // namespace fuhyo::host
