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
constexpr std::string_view kDefaultDir = "eval", kDefaultModel = "model.onnx";
constexpr std::int64_t kMostDevices = 64;

// Where the file is, or would be; empty for the network that is built in.
fs::path find_file(const usi::OptionTable& options) {
  const std::string &model = options.text("DNN_Model"), &folder = options.text("EvalDir");
  if (model.empty()) return {};
  fs::path file = model;
  if (!file.has_parent_path()) file = fs::path(folder) / file;
  std::error_code error;
  if (file.is_absolute() || fs::exists(file, error)) return file;
  const fs::path beside = fs::path(usi::own_program()).parent_path() / file;
  if (fs::exists(beside, error)) return beside;
  const bool standard = folder == kDefaultDir && model == kDefaultModel;
  return standard ? fs::path() : file;
}

}  // namespace

void LoadedNetwork::add_options(usi::OptionTable& options) {
  options.add_string("EvalDir", std::string(kDefaultDir),
                     {"folder of the network, from the working directory or beside the program",
                      "モデルのフォルダ。作業フォルダまたは実行ファイルのある場所から探す"});
  options.add_filename(
      "DNN_Model", std::string(kDefaultModel),
      {"file of the policy and value network: ONNX of dlshogi's kind, or our own; in EvalDir unless it "
       "has a folder of its own; empty, or without eval/model.onnx: the network that is built in",
       "方策・価値ネットワークのファイル(dlshogi系のONNX、または独自形式)。フォルダ名がなければEvalDirから読む。"
       "空の場合、またはeval/model.onnxがなければ内蔵のネットワークを使う"});
  std::vector<std::string> backends = nn::backend_choices();
  backends.emplace_back(kUniform);
  options.add_combo(
      "DNN_Backend", backends.front(), backends,
      {"what computes the network: cpu, cuda (an NVIDIA GPU, in programs built with CUDA), onnxruntime (if "
       "its library is installed; reads any network of dlshogi's kind); uniform: no network at all, every "
       "move alike and every position even, for tests and measurements only",
       "ネットワークの計算方法。cpu、cuda (CUDAでビルドした場合にNVIDIA GPU)、onnxruntime "
       "(ライブラリーがあればdlshogi系の任意のモデル)。uniformはネットワークなし(全手同確率・全局面互角)で、"
       "試験と計測専用"});
  options.add_spin("DNN_Device", 0, 0, kMostDevices - 1,
                   {"number of the GPU, for cuda and for the providers of onnxruntime",
                    "使用するGPUの番号 (cudaとonnxruntimeのプロバイダー用)"});
  options.add_filename(
      "DNN_Library", "",
      {"the library of ONNX Runtime; empty: libonnxruntime.so.1 or libonnxruntime.so of the system",
       "ONNX Runtimeのライブラリーファイル。空ならシステムのlibonnxruntime.so.1またはlibonnxruntime.so"});
  options.add_string("DNN_Providers", "",
                     {"what ONNX Runtime computes with if it can: cuda, tensorrt, or tensorrt,cuda; empty: its CPU",
                      "ONNX Runtimeの実行プロバイダー: cuda、tensorrt、またはtensorrt,cuda。空ならCPU"});
  options.add_combo("SimdPath", "auto", nn::kernel_choices(),
                    {"instruction set for the network: auto, plain, avx2, avx512 or neon; auto takes the best",
                     "ネットワークの計算に使う命令セット (auto, plain, avx2, avx512, neon)。autoなら最良のもの"});
}

std::expected<void, std::string> LoadedNetwork::update(const usi::OptionTable& options) {
  const nn::BackendChoice choice = {.kind = options.text("DNN_Backend"),
                                    .simd = options.text("SimdPath"),
                                    .device = static_cast<int>(options.spin("DNN_Device")),
                                    .shared_library = options.text("DNN_Library"),
                                    .providers = options.text("DNN_Providers")};
  if (choice.kind == kUniform) return take_none();
  const fs::path file = find_file(options);
  const std::string identity = file.empty() ? "built in" : machine::file_identity(file);
  const std::string wanted = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", identity, choice.kind, choice.simd, choice.device,
                                         choice.shared_library, choice.providers);
  if (model_.backend != nullptr && !identity.empty() && wanted == identity_) return {};
  model_ = {};
  if (identity.empty()) {
    return std::unexpected(fmt::format(
        "there is no network '{}': set EvalDir and DNN_Model to a policy and value network (ONNX of dlshogi's kind)",
        file.string()));
  }
  const nn::ModelSource source = file.empty() ? built_in_ : nn::ModelSource(file);
  auto loaded = load_shogi_model(source, choice);
  if (!loaded) return std::unexpected("the network cannot be used: " + loaded.error());
  model_ = *std::move(loaded);
  ini_name_ = source.ini_name();
  identity_ = wanted;
  return {};
}

std::expected<void, std::string> LoadedNetwork::take_none() {
  model_ = {.backend = std::make_unique<UniformBackend>(nn::Shape{.channels = 1}),
            .options = {},
            .description = "NO NETWORK (DNN_Backend uniform): every move counts alike and every position as even"};
  identity_ = {};
  return {};
}

std::vector<std::string> LoadedNetwork::description() const {
  std::vector<std::string> lines = {model_.description};
  for (const auto& [name, value] : model_.options) lines.push_back(fmt::format("{}: {}={}", ini_name_, name, value));
  return lines;
}

std::expected<usi::OptionTable, std::string> LoadedNetwork::effective(const usi::OptionTable& options) const {
  usi::OptionTable table = options;
  for (const auto& [name, value] : model_.options) {
    const auto* const option = table.find(name);
    if (option == nullptr || option->chosen) continue;
    if (const auto set = table.set(name, value); !set) {
      return std::unexpected(fmt::format("{}: {}", ini_name_, set.error()));
    }
  }
  return table;
}

}  // namespace fuhyo::mcts
