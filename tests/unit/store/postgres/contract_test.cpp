// The PostgreSQL store under the contracts of every store, over a network that fails.

#include "tests/unit/store/contract/contracts.h"
#include "tests/unit/store/postgres/postgres_under_test.h"

namespace fuhyo::test {
namespace {

std::unique_ptr<StoreUnderTest> make_postgres() { return std::make_unique<PostgresUnderTest>(); }

}  // namespace

INSTANTIATE_STORE_CONTRACTS(Postgres, make_postgres);

}  // namespace fuhyo::test
