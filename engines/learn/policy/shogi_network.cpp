#include "engines/learn/policy/shogi_network.h"

#include <fmt/format.h>
#include <memory>
#include <sstream>

#include "engines/learn/data/whole_file.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/mcts/shogi/shogi_model.h"
#include "engines/nn/container.h"
#include "engines/nn/reference_backend.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::learn::policy {
namespace {

std::expected<std::string, std::string> self_test_lines(const nn::Model& model) {
  const shogi::Position start;
  nn::Batch batch(model.shape, 1);
  mcts::add(start, batch);
  nn::Evaluations out(model.shape, 1);
  const auto backend = nn::reference_backend(std::make_shared<const nn::Model>(model));
  if (auto done = backend->evaluate(batch, out); !done) return std::unexpected(done.error());
  return fmt::format("SelfTest_Position={}\nSelfTest_Move={}\nSelfTest_Value={:.4f}\n", start.sfen(),
                     shogi::to_usi(mcts::best_move(start, out.logits(0))), out.value(0));
}

}  // namespace

std::expected<void, std::string> save_shogi_network(const nn::Model& model, std::string_view remark,
                                                    const std::filesystem::path& file) {
  if (auto held = nn::check_halves(model); !held) {
    return std::unexpected(fmt::format("{}: {}", file.string(), held.error()));
  }
  std::ostringstream out;
  nn::write_container(model, remark, out, nn::Precision::halves);
  const std::string bytes = out.str();
  // What engines will compute with, not what was rounded to it.
  std::istringstream in(bytes);
  const auto read = nn::read_container(in, bytes.size());
  if (!read) return std::unexpected(fmt::format("{}: {}", file.string(), read.error()));
  const auto lines = self_test_lines(read->model);
  if (!lines) return std::unexpected(fmt::format("{}: {}", file.string(), lines.error()));
  if (auto written = replace_file(file, bytes); !written) return written;
  return replace_file(file.string() + ".ini", *lines);
}

}  // namespace fuhyo::learn::policy
