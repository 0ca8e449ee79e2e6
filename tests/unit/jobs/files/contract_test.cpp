// The queue in a folder under the contract of every queue.
#include "tests/unit/jobs/files/files_under_test.h"

namespace fuhyo::test {
namespace {

std::unique_ptr<QueueUnderTest> make_files() { return std::make_unique<FilesUnderTest>(); }

}  // namespace

INSTANTIATE_QUEUE_CONTRACTS(Files, make_files);

}  // namespace fuhyo::test
