#include "engines/nn/model_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <new>
#include <spanstream>

#include "engines/nn/container.h"
#include "engines/nn/onnx/read.h"

namespace fuhyo::nn {
namespace {

namespace fs = std::filesystem;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

struct Read {
  Model model;
  std::string format;
};

std::expected<Read, std::string> read(std::istream& in, std::uint64_t size) {
  std::string magic(std::min<std::uint64_t>(size, kContainerMagic.size()), '\0');
  in.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  in.seekg(0);
  if (magic == kContainerMagic) {
    auto container = read_container(in, size);
    if (!container) return std::unexpected(container.error());
    const std::string remark = container->remark.empty() ? "" : fmt::format(" ({})", container->remark);
    return Read{.model = std::move(container->model), .format = "Fuhyo" + remark};
  }
  std::string bytes(size, '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size))) return std::unexpected("it cannot be read");
  auto model = onnx::read(bytes);
  if (!model) return std::unexpected(model.error());
  return Read{.model = *std::move(model), .format = "ONNX"};
}

std::expected<Read, std::string> read_file(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::unexpected(error ? error.message() : "it is no file");
  const std::uint64_t size = fs::file_size(file, error);
  if (error) return std::unexpected(error.message());
  if (size > kLargestFile) {
    return std::unexpected(fmt::format("it has {} bytes, at most {} are read", size, kLargestFile));
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::unexpected("it cannot be opened");
  return read(in, size);
}

std::expected<Read, std::string> read_source(const ModelSource& source) {
  try {
    if (source.is_file()) return read_file(source.file());
    std::ispanstream in(source.bytes());
    return read(in, source.bytes().size());
  } catch (const std::bad_alloc&) {
    return std::unexpected("there is no memory for it");
  }
}

std::expected<ModelOptions, std::string> read_ini_of(const ModelSource& source) {
  if (source.is_file()) {
    std::ifstream in(source.ini_name());
    if (!in) return ModelOptions{};
    return read_ini(in);
  }
  std::ispanstream in(source.ini());
  return read_ini(in);
}

}  // namespace

ModelSource::ModelSource(fs::path file) : file_(std::move(file)), name_(file_.string()) {}

ModelSource ModelSource::of_program(std::string_view name, std::string_view bytes, std::string_view ini) {
  ModelSource source{fs::path()};
  source.is_file_ = false;
  source.name_ = name;
  source.bytes_ = bytes;
  source.ini_ = ini;
  return source;
}

std::expected<ModelOptions, std::string> read_ini(std::istream& in) {
  ModelOptions options;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (number > kMostIniLines) return std::unexpected(fmt::format("it has more than {} lines", kMostIniLines));
    if (line.size() > kLongestIniLine) {
      return std::unexpected(fmt::format("line {} is longer than {} bytes", number, kLongestIniLine));
    }
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == ';' || text.front() == '#' || text.front() == '[') continue;
    const std::size_t sign = text.find('=');
    const std::string_view name = trim(text.substr(0, sign));
    if (sign == std::string_view::npos || name.empty()) {
      return std::unexpected(fmt::format("line {} is no NAME=VALUE: '{}'", number, text));
    }
    options[std::string(name)] = trim(text.substr(sign + 1));
  }
  return options;
}

std::expected<ModelOptions, std::string> read_options(const ModelSource& source) {
  auto options = read_ini_of(source);
  if (!options) return std::unexpected(printable(fmt::format("{}: {}", source.ini_name(), options.error())));
  return options;
}

std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

std::expected<ModelFile, std::string> load_model(const ModelSource& source) {
  auto found = read_source(source);
  if (!found) return std::unexpected(printable(fmt::format("{}: {}", source.name(), found.error())));
  ModelFile out = {
      .description = printable(fmt::format("{} from {}, {}", found->model.shape.name(), source.name(), found->format))};
  auto options = read_options(source);
  if (!options) return std::unexpected(options.error());
  out.options = *std::move(options);
  out.model = std::make_shared<const Model>(std::move(found->model));
  return out;
}

}  // namespace fuhyo::nn
