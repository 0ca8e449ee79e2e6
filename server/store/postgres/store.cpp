#include "server/store/postgres/store.h"

#include <fmt/format.h>
#include <optional>
#include <utility>

#include "server/store/postgres/archive.h"
#include "server/store/postgres/archive_import.h"
#include "server/store/postgres/catalogue.h"
#include "server/store/postgres/dump.h"
#include "server/store/postgres/lease.h"
#include "server/store/postgres/load.h"
#include "server/store/postgres/migrations.h"
#include "server/store/postgres/rating_archive.h"
#include "server/store/postgres/reader.h"
#include "server/store/postgres/recovery.h"
#include "server/store/postgres/session.h"
#include "server/store/postgres/writer.h"

namespace fuhyo::store {
namespace {

// What refuses says of which store.
template <class Value>
std::expected<Value, std::string> named(const std::string& name, std::expected<Value, std::string> value) {
  if (!value) return std::unexpected(fmt::format("{}: {}", name, value.error()));
  return value;
}

class PostgresWriterWatch : public WriterWatch {
 public:
  PostgresWriterWatch(const PostgresAddress& address, const PostgresOptions& options)
      : session_(address, options, "fuhyo standby", PgUse::commits) {}
  std::expected<bool, std::string> is_written() override {
    const auto rows = session_.run({look_for_holder()});
    if (!rows) return refuse(rows.error());
    return !rows->empty() && rows->front().size() > 0;
  }

 private:
  LastingSession session_;
};

class PostgresStore : public Store {
 public:
  PostgresStore(PostgresAddress address, PostgresOptions options)
      : address_(std::move(address)), options_(std::move(options)) {}

  const std::string& name() const override { return address_.shown(); }
  Opened<QueuedJournal> open_journal(core::JournalEvents events, core::Recovery& out) override {
    return QueuedJournal::open(name(), options_.limits, std::make_unique<PostgresWriter>(address_, options_),
                               std::move(events), out);
  }
  std::expected<core::Recovery, std::string> look() override { return named(name(), look_now()); }
  Opened<WriterWatch> open_writer_watch() override { return std::make_unique<PostgresWriterWatch>(address_, options_); }
  Opened<JournalReader> open_reader() override { return PostgresReader::open(address_, options_); }
  Opened<Archive> open_archive() override { return named(name(), PostgresArchive::open(address_, options_)); }
  Opened<RatingArchive> open_ratings() override {
    return named(name(), PostgresRatingArchive::open(address_, options_));
  }
  Opened<core::Catalogue> open_catalogue() override {
    return named(name(), open_postgres_catalogue(address_, options_));
  }
  Opened<PositionIndex> open_positions() override { return named(name(), open_postgres_positions(address_, options_)); }
  Opened<ArchiveImport> begin_import(bool dry) override {
    return named(name(), PostgresArchiveImport::begin(address_, options_, dry));
  }
  std::expected<std::vector<std::string>, std::string> migrate() override { return named(name(), migrate_now()); }
  std::expected<Schema, std::string> schema() override { return named(name(), read_schema()); }
  Opened<Dump> open_dump() override { return named(name(), PostgresDump::open(address_, options_)); }
  Opened<Load> begin_load() override { return named(name(), PostgresLoad::begin(address_, options_)); }
  std::expected<bool, std::string> copy_to(const std::string&) override { return false; }

 private:
  std::expected<std::vector<std::string>, std::string> migrate_now();
  std::expected<Schema, std::string> read_schema();
  std::expected<core::Recovery, std::string> look_now();

  const PostgresAddress address_;
  const PostgresOptions options_;
};

std::expected<std::vector<std::string>, std::string> PostgresStore::migrate_now() {
  const Patience patience;
  auto connection = open_session(address_, options_, "fuhyo migrate", PgUse::import, patience);
  if (!connection) return refuse(connection.error());
  if (auto checked = check_server(**connection, options_); !checked) return refuse(checked.error());
  if (auto locked = take_lock(**connection, std::nullopt, options_.lock_wait_ms); !locked) {
    return refuse(locked.error());
  }
  const auto ours = postgres_migrations();
  const auto taken = store::migrate(**connection, ours);
  if (!taken) return std::unexpected(taken.error());
  std::vector<std::string> names;
  for (const Migration& step : ours.last(*taken)) names.emplace_back(step.name);
  return names;
}

std::expected<Store::Schema, std::string> PostgresStore::read_schema() {
  Schema schema;
  for (const Migration& step : postgres_migrations()) schema.steps.emplace_back(step.name);
  const Patience patience;
  auto connection = open_session(address_, options_, "fuhyo migrate", PgUse::reads, patience);
  if (!connection) return refuse(connection.error());
  const auto done = migrations_done(**connection, postgres_migrations());
  if (!done) return std::unexpected(done.error());
  schema.done = *done;
  return schema;
}

std::expected<core::Recovery, std::string> PostgresStore::look_now() {
  const Patience patience;
  auto connection = open_session(address_, options_, "fuhyo look", PgUse::reads, patience);
  if (!connection) return refuse(connection.error());
  const auto done = migrations_done(**connection, postgres_migrations());
  if (!done) return std::unexpected(done.error());
  if (*done != postgres_migrations().size()) return std::unexpected(std::string(why_unread(*done)));
  core::Recovery stands;
  LiveGames live;
  if (auto read = recover(**connection, stands, live); !read) return std::unexpected(read.error());
  return stands;
}

}  // namespace

std::unique_ptr<Store> make_postgres_store(PostgresAddress address, PostgresOptions options) {
  return std::make_unique<PostgresStore>(std::move(address), std::move(options));
}

}  // namespace fuhyo::store
