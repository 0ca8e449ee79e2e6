#include "engines/nnue/net/loading.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <spanstream>

#include "engines/machine/file_identity.h"
#include "engines/nnue/net/built_in.h"
#include "engines/nnue/net/choice.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::nnue {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefaultDir = "eval";
constexpr double kWinRateScale = 600;
// Between them they have every kind of piece on the board and in hand.
constexpr std::array kSamples = {
    shogi::Position::kStartSfen,
    std::string_view("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1")};

// The file that the options name; empty for the one that is built in.
fs::path file_of(const usi::OptionTable& options) {
  const std::string& file = options.text("EvalFile");
  if (!file.empty()) return file;
  const std::string& folder = options.text("EvalDir");
  fs::path standard = fs::path(folder) / "nn.bin";
  std::error_code error;
  if (folder == kDefaultDir && !fs::exists(standard, error)) return {};
  return standard;
}

Network::Loaded load(const fs::path& file) {
  if (!file.empty()) return Network::load(file, true);
  const std::string_view built_in = built_in_network();
  std::ispanstream in(built_in);
  return Network::read(in, built_in.size(), "the network of the program", true);
}

}  // namespace

void LoadedNetwork::add_options(usi::OptionTable& options) {
  options.add_string("EvalDir", std::string(kDefaultDir),
                     {"folder of the network: nn.bin in it is read; without one, the network that is built in",
                      "評価関数のフォルダ。その中のnn.binを読む。なければ内蔵の評価関数を使う"});
  options.add_filename(
      "EvalFile", "",
      {"file of the network, instead of nn.bin in EvalDir", "評価関数のファイル。指定すればEvalDirより優先"});
  options.add_spin("FV_SCALE", 16, 1, 128,
                   {"what the network's output is divided by; 16 for most, 24 to 36 for some: ask its authors",
                    "評価関数の出力を割る値。多くは16、24〜36のものもある。配布元の説明を参照"});
  options.add_combo("SimdPath", "auto", kernel_choices(),
                    {"instruction set for the network: auto, plain, sse41, avx2, avx512 or neon; auto takes the best",
                     "評価関数の計算に使う命令セット (auto, plain, sse41, avx2, avx512, neon)。autoなら最良のもの"});
}

std::expected<void, std::string> LoadedNetwork::update(const usi::OptionTable& options) {
  fv_scale_ = static_cast<int>(options.spin("FV_SCALE"));
  const fs::path file = file_of(options);
  const std::string identity = file.empty() ? "built in" : machine::file_identity(file);
  if (network_ == nullptr || identity.empty() || identity != identity_) {
    network_.reset();
    auto loaded = load(file);
    if (!loaded) return std::unexpected("the network cannot be used: " + loaded.error());
    network_ = *std::move(loaded);
    identity_ = identity;
    file_ = file.string();
  }
  const auto kernels = choose_kernels(options.text("SimdPath"));
  if (!kernels) {
    network_.reset();
    return std::unexpected(kernels.error());
  }
  kernels_ = *kernels;
  return {};
}

std::string LoadedNetwork::description() const {
  const std::string odd = network_->remark().empty() ? "" : "; " + network_->remark();
  return fmt::format("network {} from {}, {} kernels{}{}", network_->architecture().name(),
                     file_.empty() ? "the program" : file_, kernels_->name,
                     network_->memory().shared() ? ", shared memory" : "", odd);
}

std::uint64_t LoadedNetwork::fingerprint() const {
  Evaluator evaluator(network_, *kernels_);
  std::uint64_t print = 0;
  const auto add = [&](std::uint64_t number) {
    print = (print ^ number) * 0x9e3779b97f4a7c15;
    print ^= print >> 32;
  };
  for (const std::string_view sfen : kSamples) {
    shogi::Position position = *shogi::Position::from_sfen(sfen);
    for (const shogi::Move move : shogi::legal_moves(position)) {
      const auto undo = position.do_move(move);
      evaluator.reset(position);
      add(position.key());
      add(static_cast<std::uint64_t>(to_value(evaluator.raw(position), fv_scale_)));
      position.undo_move(move, undo);
    }
  }
  return print;
}

int LoadedNetwork::value(const shogi::Position& position) const {
  Evaluator evaluator(network_, *kernels_);
  evaluator.reset(position);
  return to_value(evaluator.raw(position), fv_scale_);
}

std::vector<std::string> LoadedNetwork::eval_lines(const shogi::Position& position) const {
  Evaluator evaluator(network_, *kernels_);
  evaluator.reset(position);
  const std::int32_t raw = evaluator.raw(position);
  const int value = to_value(raw, fv_scale_);
  return {fmt::format("eval = {}", value),
          fmt::format("info string raw {} fv_scale {} value {} cp {} winrate {:.4f} features {} file {}", raw,
                      fv_scale_, value, to_centipawns(value), to_win_rate(value), network_->architecture().name(),
                      file_.empty() ? "built-in" : file_)};
}

double to_win_rate(int value) { return 1 / (1 + std::exp(-value / kWinRateScale)); }

}  // namespace fuhyo::nnue
