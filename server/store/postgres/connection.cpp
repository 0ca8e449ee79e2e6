#include "server/store/postgres/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <thread>

namespace fuhyo::store {
namespace {

// A waiting call checks so often whether it should still wait.
constexpr std::int64_t kSlice_ms = 100;

constexpr PgStatement kRollBack{"roll_back", "ROLLBACK"};

// libpq's messages are lines for a terminal.
std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\t', ' ');
  return text;
}

PgError error_of(const PgRows& answer) {
  const auto field = [&](int code) -> std::string {
    const char* text = PQresultErrorField(answer.get(), code);
    return text == nullptr ? "" : text;
  };
  PgError error{.state = field(PG_DIAG_SQLSTATE), .message = one_line(field(PG_DIAG_MESSAGE_PRIMARY))};
  if (error.message.empty()) error.message = one_line(PQresultErrorMessage(answer.get()));
  const std::string detail = one_line(field(PG_DIAG_MESSAGE_DETAIL));
  if (!detail.empty()) error.message += fmt::format(" ({})", detail);
  return error;
}

using Handle = std::unique_ptr<PGconn, decltype(&PQfinish)>;

// A connection that comes about on a thread of its own.
struct Attempt {
  std::mutex mutex;
  std::condition_variable changed;
  Handle connection{nullptr, PQfinish};
  bool done = false;
};

Handle connect(const std::string& url, const char* purpose, int connect_s, int vanished_ms) {
  const std::string limit = fmt::format("{}", connect_s);
  // Three probes fit into what is left of the time once the first one is sent.
  const std::string idle_s = fmt::format("{}", vanished_ms * 2 / 5'000),
                    each_s = fmt::format("{}", vanished_ms / 5'000);
  const std::string vanished = fmt::format("{}", vanished_ms);
  // What the address says wins over what stands before it.
  const std::array<const char*, 9> keys = {"fallback_application_name",
                                           "connect_timeout",
                                           "keepalives_idle",
                                           "keepalives_interval",
                                           "keepalives_count",
                                           "tcp_user_timeout",
                                           "dbname",
                                           "client_encoding",
                                           nullptr};
  const std::array<const char*, 9> values = {purpose,          limit.c_str(), idle_s.c_str(), each_s.c_str(), "3",
                                             vanished.c_str(), url.c_str(),   "UTF8",         nullptr};
  return {PQconnectdbParams(keys.data(), values.data(), 1), PQfinish};
}

}  // namespace

std::string in_words(const PgError& error) {
  return error.state.empty() ? error.message : fmt::format("{} (PostgreSQL {})", error.message, error.state);
}

std::int64_t Patience::now_ms() const {
  using namespace std::chrono;
  return now_ms_ ? now_ms_() : duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void Patience::end_in(int ms) { end_ms_ = now_ms() + ms; }

// Names and certificates are looked up by functions that cannot be interrupted: the thread is left behind if they take
// too long, and clears up when they have come back.
PgResult<std::unique_ptr<PgConnection>> PgConnection::open(const PostgresAddress& address, const char* purpose,
                                                           int connect_ms, const Patience& patience, int vanished_ms) {
  const std::int64_t deadline_ms = patience.now_ms() + connect_ms;
  const auto attempt = std::make_shared<Attempt>();
  std::thread([attempt, purpose, url = address.url(), connect_s = std::max(2, connect_ms / 1000), vanished_ms] {
    Handle connection = connect(url, purpose, connect_s, vanished_ms);
    const std::lock_guard lock(attempt->mutex);
    attempt->connection = std::move(connection);
    attempt->done = true;
    attempt->changed.notify_all();
  }).detach();
  std::unique_lock lock(attempt->mutex);
  while (!attempt->done) {
    const std::int64_t left_ms = std::min(deadline_ms, patience.end_ms()) - patience.now_ms();
    if (left_ms <= 0)
      return std::unexpected(PgError{.state = "", .message = "the server does not answer", .lost = true});
    attempt->changed.wait_for(lock, std::chrono::milliseconds(std::min(left_ms, kSlice_ms)));
  }
  PGconn* made = attempt->connection.get();
  if (PQstatus(made) != CONNECTION_OK || PQsetnonblocking(made, 1) != 0 || PQenterPipelineMode(made) != 1) {
    std::string why = address.without_secrets(one_line(PQerrorMessage(made)));
    return std::unexpected(PgError{.state = "", .message = std::move(why), .lost = true});
  }
  return std::unique_ptr<PgConnection>(new PgConnection(attempt->connection.release(), patience));
}

PgConnection::PgConnection(PGconn* connection, const Patience& patience)
    : connection_(connection), patience_(patience) {
  PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);  // else they go to the standard error output
}

PgError PgConnection::lost(std::string why) const {
  const std::string said = one_line(PQerrorMessage(connection_.get()));
  return {.state = "", .message = said.empty() ? std::move(why) : said, .lost = true};
}

PgResult<void> PgConnection::wait(short events, std::int64_t deadline_ms) {
  for (;;) {
    const std::int64_t left_ms = std::min(deadline_ms, patience_.end_ms()) - patience_.now_ms();
    if (left_ms <= 0) return std::unexpected(lost("the server does not answer"));
    pollfd socket{.fd = PQsocket(connection_.get()), .events = events, .revents = 0};
    const int ready = ::poll(&socket, 1, static_cast<int>(std::min(left_ms, kSlice_ms)));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return std::unexpected(lost("the connection cannot be waited for"));
  }
}

PgResult<PgRows> PgConnection::next_answer(std::int64_t deadline_ms) {
  for (;;) {
    const int unsent = PQflush(connection_.get());
    if (unsent < 0) return std::unexpected(lost("the connection is broken"));
    if (PQisBusy(connection_.get()) == 0) return PgRows(PQgetResult(connection_.get()));
    const auto events = static_cast<short>(unsent > 0 ? POLLIN | POLLOUT : POLLIN);
    if (auto waited = wait(events, deadline_ms); !waited) return std::unexpected(waited.error());
    if (PQconsumeInput(connection_.get()) == 0) return std::unexpected(lost("the connection is broken"));
  }
}

PgResult<void> PgConnection::send(std::span<const PgCommand> commands, std::vector<Expected>& expected) {
  std::unordered_set<const PgStatement*> preparing;
  for (const PgCommand& command : commands) {
    const PgStatement* statement = command.statement;
    if (!prepared_.contains(statement) && preparing.insert(statement).second) {
      if (PQsendPrepare(connection_.get(), statement->name, statement->sql, 0, nullptr) == 0) {
        return std::unexpected(lost("the connection is broken"));
      }
      expected.push_back({statement, true});
    }
    const std::vector<std::string>& values = command.params.values();
    std::vector<const char*> pointers;
    std::vector<int> lengths, formats(values.size(), 1);
    for (const std::string& value : values) {
      pointers.push_back(value.data());
      lengths.push_back(static_cast<int>(value.size()));
    }
    if (PQsendQueryPrepared(connection_.get(), statement->name, static_cast<int>(values.size()), pointers.data(),
                            lengths.data(), formats.data(), 1) == 0) {
      return std::unexpected(lost("the connection is broken"));
    }
    expected.push_back({statement, false});
  }
  if (PQpipelineSync(connection_.get()) == 0) return std::unexpected(lost("the connection is broken"));
  return {};
}

PgResult<std::vector<PgRows>> PgConnection::take_answers(std::span<const Expected> expected) {
  const std::int64_t deadline_ms = patience_.now_ms() + limit_ms_;
  std::vector<PgRows> rows;
  std::optional<PgError> failed;
  const auto lose = [&](PgError error) {
    if (!failed) return std::unexpected(std::move(error));
    failed->lost = true;  // the server has said why
    return std::unexpected(std::move(*failed));
  };
  for (const Expected& next : expected) {
    auto answer = next_answer(deadline_ms);
    if (!answer) return lose(answer.error());
    const ExecStatusType status = PQresultStatus(answer->get());
    const bool done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!done && !failed && status != PGRES_PIPELINE_ABORTED) failed = error_of(*answer);
    if (done && next.preparing && *next.statement->name != '\0') prepared_.insert(next.statement);
    if (done && !next.preparing) rows.push_back(std::move(*answer));
    if (auto end = next_answer(deadline_ms); !end) return lose(end.error());  // of the answers to this one
  }
  auto sync = next_answer(deadline_ms);
  if (!sync) return lose(sync.error());
  if (PQresultStatus(sync->get()) != PGRES_PIPELINE_SYNC) return lose(lost("the server answers out of turn"));
  if (failed) return std::unexpected(std::move(*failed));
  return rows;
}

PgResult<std::vector<PgRows>> PgConnection::run(std::span<const PgCommand> commands) {
  std::vector<Expected> expected;
  if (auto sent = send(commands, expected); !sent) return std::unexpected(sent.error());
  auto rows = take_answers(expected);
  if (rows || rows.error().lost || PQtransactionStatus(connection_.get()) == PQTRANS_IDLE) return rows;
  expected.clear();
  const PgCommand roll_back{.statement = &kRollBack, .params = {}};
  const auto sent = send({&roll_back, 1}, expected);
  if (!sent || !take_answers(expected)) rows.error().lost = true;
  return rows;
}

PgResult<PgRows> PgConnection::run(const PgStatement& statement, PgParams params) {
  const PgCommand command{.statement = &statement, .params = std::move(params)};
  auto rows = run({&command, 1});
  if (!rows) return std::unexpected(std::move(rows.error()));
  return std::move(rows->front());
}

PgResult<void> PgConnection::run_script(const std::string& sql) {
  const std::int64_t deadline_ms = patience_.now_ms() + limit_ms_;
  if (PQexitPipelineMode(connection_.get()) != 1 || PQsendQuery(connection_.get(), sql.c_str()) != 1) {
    return std::unexpected(lost("the connection is broken"));
  }
  std::optional<PgError> failed;
  for (;;) {
    auto answer = next_answer(deadline_ms);
    if (!answer && failed) failed->lost = true;
    if (!answer) return std::unexpected(failed ? *failed : answer.error());
    if (answer->get() == nullptr) break;
    const ExecStatusType status = PQresultStatus(answer->get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && !failed) failed = error_of(*answer);
  }
  if (PQenterPipelineMode(connection_.get()) != 1) return std::unexpected(lost("the connection is broken"));
  if (!failed) return {};
  if (PQtransactionStatus(connection_.get()) != PQTRANS_IDLE && !run(kRollBack)) failed->lost = true;
  return std::unexpected(std::move(*failed));
}

PgResult<bool> PgConnection::wait_notified(int ms) {
  const std::int64_t deadline_ms = patience_.now_ms() + ms;
  for (;;) {
    if (PQconsumeInput(connection_.get()) == 0) return std::unexpected(lost("the connection is broken"));
    bool any = false;
    while (PGnotify* notification = PQnotifies(connection_.get())) {
      PQfreemem(notification);
      any = true;
    }
    const std::int64_t left_ms = std::min(deadline_ms, patience_.end_ms()) - patience_.now_ms();
    if (any || left_ms <= 0) return any;
    pollfd socket{.fd = PQsocket(connection_.get()), .events = POLLIN, .revents = 0};
    ::poll(&socket, 1, static_cast<int>(std::min(left_ms, kSlice_ms)));
  }
}

}  // namespace fuhyo::store
