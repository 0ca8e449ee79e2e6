// main() of tests with a PostgreSQL server of their own. Where none is installed, they are skipped.
#include <cstdio>
#include <gtest/gtest.h>

#include "tests/support/postgres_cluster.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (fuhyo::test::PostgresCluster::programs().empty()) {
    std::puts("PostgreSQL is not installed (Debian: postgresql); nothing is tested");
    return 77;
  }
  fuhyo::test::PostgresCluster::shared();  // by this thread, which lives as long as it
  return RUN_ALL_TESTS();
}
