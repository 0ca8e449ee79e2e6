#include "server/host/worker_office.h"

#include <utility>
#include <variant>

namespace fuhyo::host {

class WorkerOffice::Process final : public usi::ChildProcess {
 public:
  Process(std::shared_ptr<WorkerOffice> office, WorkerSeat seat) : office_(std::move(office)), seat_(seat) {}
  ~Process() override { office_->end(seat_); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool write_line(std::string_view line) override { return office_->write(seat_, line); }
  void kill() override { office_->kill(seat_); }
  // The cores of its machine are the worker's.
  void bind(const std::vector<int>& /*cores*/) override {}
  // Engines of servers are told "quit" by nobody: this is their end.
  void close_input() override { office_->kill(seat_); }

 private:
  const std::shared_ptr<WorkerOffice> office_;
  const WorkerSeat seat_;
};

EngineRunner::Spawn WorkerOffice::spawner(std::string worker, int engine) {
  return [office = shared_from_this(), worker = std::move(worker), engine](usi::ChildProcess::Events events,
                                                                           const std::vector<int>& /*cores*/) {
    return office->start(worker, engine, std::move(events));
  };
}

std::expected<std::unique_ptr<usi::ChildProcess>, std::string> WorkerOffice::start(const std::string& worker,
                                                                                   int engine,
                                                                                   usi::ChildProcess::Events events) {
  const std::lock_guard lock(mutex_);
  const auto seat = desk_.start(worker, engine);
  if (!seat) return std::unexpected(seat.error());
  listeners_.emplace(*seat, std::move(events));
  carry_out();
  return std::make_unique<Process>(shared_from_this(), *seat);
}

bool WorkerOffice::write(WorkerSeat seat, std::string_view line) {
  const std::lock_guard lock(mutex_);
  const bool taken = desk_.write(seat, line);
  carry_out();
  return taken;
}

void WorkerOffice::kill(WorkerSeat seat) {
  const std::lock_guard lock(mutex_);
  desk_.end(seat);
  carry_out();
  WorkerDesk::Ended ended{seat, "killed"};
  on(ended);
}

void WorkerOffice::end(WorkerSeat seat) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(seat);
  desk_.end(seat);
  carry_out();
}

// ---- the door ----

void WorkerOffice::change(WorkerDesk::Rules rules) {
  const std::lock_guard lock(mutex_);
  desk_.change(std::move(rules));
  carry_out();
}

void WorkerOffice::opened(core::ConnId conn, std::string address, core::Instant now) {
  const std::lock_guard lock(mutex_);
  desk_.opened(conn, std::move(address), now);
  carry_out();
}

void WorkerOffice::line(core::ConnId conn, std::string_view text, core::Instant now) {
  const std::lock_guard lock(mutex_);
  desk_.line(conn, text, now);
  carry_out();
}

void WorkerOffice::bad_input(core::ConnId conn, std::string_view why, core::Instant now) {
  const std::lock_guard lock(mutex_);
  desk_.bad_input(conn, why, now);
  carry_out();
}

void WorkerOffice::closed(core::ConnId conn, core::Instant now) {
  const std::lock_guard lock(mutex_);
  desk_.closed(conn, now);
  carry_out();
}

void WorkerOffice::tick(core::Instant now) {
  const std::lock_guard lock(mutex_);
  desk_.tick(now);
  carry_out();
}

void WorkerOffice::shut() {
  const std::lock_guard lock(mutex_);
  hooks_ = {};
}

bool WorkerOffice::drop(const std::string& worker) {
  const std::lock_guard lock(mutex_);
  const bool dropped = desk_.drop(worker);
  carry_out();
  return dropped;
}

std::vector<WorkerDesk::Row> WorkerOffice::rows() const {
  const std::lock_guard lock(mutex_);
  return desk_.rows();
}

// ---- what the desk wants ----

void WorkerOffice::carry_out() {
  for (WorkerDesk::Output& output : desk_.take()) {
    std::visit([this](auto& o) { on(o); }, output);
  }
}

void WorkerOffice::on(WorkerDesk::Send& o) {
  if (hooks_.send) hooks_.send(o.conn, std::move(o.line));
}
void WorkerOffice::on(WorkerDesk::Close& o) {
  if (hooks_.close) hooks_.close(o.conn);
}
void WorkerOffice::on(WorkerDesk::Known& o) {
  if (hooks_.known) hooks_.known(o.conn);
}
void WorkerOffice::on(WorkerDesk::Offered& o) {
  if (hooks_.offered) hooks_.offered(std::move(o));
}
void WorkerOffice::on(WorkerDesk::Present& o) {
  if (hooks_.present) hooks_.present(std::move(o));
}
void WorkerOffice::on(WorkerDesk::Noted& o) {
  if (hooks_.log) hooks_.log(o.warning, o.text);
}

void WorkerOffice::on(WorkerDesk::Said& o) {
  const auto listener = listeners_.find(o.seat);
  if (listener != listeners_.end()) listener->second.line(std::move(o.line));
}

void WorkerOffice::on(WorkerDesk::Ended& o) {
  const auto listener = listeners_.find(o.seat);
  if (listener == listeners_.end()) return;
  const auto closed = std::move(listener->second.closed);
  listeners_.erase(listener);
  closed(std::move(o.why));
}

}  // namespace fuhyo::host
