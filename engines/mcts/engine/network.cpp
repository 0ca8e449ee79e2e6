#include "engines/mcts/engine/network.h"

#include <fmt/format.h>

#include "engines/machine/file_identity.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/mcts/tree/uniform_backend.h"
#include "engines/nn/choice.h"
#include "engines/usi/process_self.h"

namespace fuhyo::mcts {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUniform = "uniform";

// Where the file is, or would be.
fs::path find_file(const usi::OptionTable& options) {
  fs::path file = options.text("DNN_Model");
  if (!file.has_parent_path()) file = fs::path(options.text("EvalDir")) / file;
  std::error_code error;
  if (file.is_absolute() || fs::exists(file, error)) return file;
  const fs::path beside = fs::path(usi::own_program()).parent_path() / file;
  return fs::exists(beside, error) ? beside : file;
}

}  // namespace

void LoadedNetwork::add_options(usi::OptionTable& options) {
  options.add_string("EvalDir", "eval",
                     {"folder of the network, from the working directory or beside the program",
                      "モデルのフォルダ。作業フォルダまたは実行ファイルのある場所から探す"});
  options.add_filename(
      "DNN_Model", "model.onnx",
      {"file of the policy and value network: ONNX of dlshogi's kind, or our own; in EvalDir unless it "
       "has a folder of its own",
       "方策・価値ネットワークのファイル(dlshogi系のONNX、または独自形式)。フォルダ名がなければEvalDirから読む"});
  options.add_combo("DNN_Backend", "cpu", {"cpu", std::string(kUniform)},
                    {"what computes the network; uniform: no network at all, every move alike and every position even, "
                     "for tests and measurements only",
                     "ネットワークの計算方法。uniformはネットワークなし(全手同確率・全局面互角)で、試験と計測専用"});
  options.add_combo("SimdPath", "auto", nn::kernel_choices(),
                    {"instruction set for the network: auto, plain, avx2, avx512 or neon; auto takes the best",
                     "ネットワークの計算に使う命令セット (auto, plain, avx2, avx512, neon)。autoなら最良のもの"});
}

std::expected<void, std::string> LoadedNetwork::update(const usi::OptionTable& options) {
  const bool uniform = options.text("DNN_Backend") == kUniform;
  const fs::path file = uniform ? fs::path() : find_file(options);
  const std::string& simd = options.text("SimdPath");
  const std::string identity = uniform ? "none" : machine::file_identity(file);
  const std::string wanted = identity.empty() ? "" : identity + " " + simd;
  if (model_.backend != nullptr && !wanted.empty() && wanted == identity_) return {};
  model_ = {};
  file_ = file;
  if (uniform) {
    model_.backend = std::make_unique<UniformBackend>(nn::Shape{.channels = 1});
    model_.description = "NO NETWORK (DNN_Backend uniform): every move counts alike and every position as even";
  } else {
    if (identity.empty()) {
      return std::unexpected(fmt::format(
          "there is no network '{}': set EvalDir and DNN_Model to a policy and value network (ONNX of dlshogi's kind)",
          file.string()));
    }
    const auto kernels = nn::choose_kernels(simd);
    if (!kernels) return std::unexpected(kernels.error());
    auto loaded = load_shogi_model(file, **kernels);
    if (!loaded) return std::unexpected("the network cannot be used: " + loaded.error());
    model_ = *std::move(loaded);
  }
  identity_ = wanted;
  return {};
}

std::vector<std::string> LoadedNetwork::description() const {
  std::vector<std::string> lines = {model_.description};
  for (const auto& [name, value] : model_.options)
    lines.push_back(fmt::format("{}.ini: {}={}", file_.string(), name, value));
  return lines;
}

std::expected<usi::OptionTable, std::string> LoadedNetwork::effective(const usi::OptionTable& options) const {
  usi::OptionTable table = options;
  for (const auto& [name, value] : model_.options) {
    const auto* const option = table.find(name);
    if (option == nullptr || option->chosen) continue;
    if (const auto set = table.set(name, value); !set) {
      return std::unexpected(fmt::format("{}.ini: {}", file_.string(), set.error()));
    }
  }
  return table;
}

}  // namespace fuhyo::mcts
