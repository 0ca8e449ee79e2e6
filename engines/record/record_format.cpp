#include "engines/record/record_format.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engines/record/counted.h"
#include "engines/record/csa_reader.h"
#include "engines/record/csa_writer.h"
#include "engines/record/jkf_reader.h"
#include "engines/record/jkf_writer.h"
#include "engines/record/kif_reader.h"
#include "engines/record/kif_text.h"
#include "engines/record/kif_writer.h"
#include "engines/record/summary.h"
#include "engines/record/usi_line.h"

namespace fuhyo::record {
namespace {

struct Facts {
  std::string_view extension, content_type;
  Encoding encoding;
};

// In the order of RecordFormat.
constexpr std::array<Facts, kRecordFormats.size()> kFacts = {{
    {"csa", "application/x-csa; charset=UTF-8", Encoding::utf8},
    {"csa3", "application/x-csa; charset=UTF-8", Encoding::utf8},
    {"kif", "application/x-kif; charset=Shift_JIS", Encoding::shift_jis},
    {"kifu", "application/x-kif; charset=UTF-8", Encoding::utf8},
    {"ki2", "application/x-ki2; charset=Shift_JIS", Encoding::shift_jis},
    {"ki2u", "application/x-ki2; charset=UTF-8", Encoding::utf8},
    {"jkf", "application/json", Encoding::utf8},
    {"usi", "text/plain; charset=UTF-8", Encoding::utf8},
}};

const Facts& facts(RecordFormat format) { return kFacts[static_cast<std::size_t>(format)]; }

std::expected<std::string, std::string> text_of(const Game& game, RecordFormat format) {
  switch (format) {
    case RecordFormat::csa:
      return write_csa(game, CsaVersion::v2_2);
    case RecordFormat::csa_v3:
      return write_csa(game, CsaVersion::v3_0);
    case RecordFormat::kif:
    case RecordFormat::kifu:
      // As Kifu for Windows does; without it, programs guess by the extension.
      return "#KIF version=2.0 encoding=" + std::string(to_string(facts(format).encoding)) + "\n" + write_kif(game);
    case RecordFormat::ki2:
    case RecordFormat::ki2u:
      return write_ki2(game);
    case RecordFormat::jkf:
      return write_jkf(game);
    case RecordFormat::usi:
      break;
  }
  return write_usi(game);
}

std::expected<GameFile, Diagnostic> read_first_csa(std::string_view bytes) {
  auto file = read_csa(bytes);
  if (!file) return std::unexpected(std::move(file.error()));
  CsaGame& first = file->games.front();
  GameFile out{.encoding = file->encoding, .game = std::move(first.game), .warnings = std::move(first.warnings)};
  const std::size_t more = file->games.size() - 1;
  if (more > 0) out.warnings.push_back({0, std::to_string(more) + " more games are left out"});
  return out;
}

std::expected<GameFile, Diagnostic> read_as(std::string_view bytes, RecordFormat format) {
  switch (format) {
    case RecordFormat::csa:
    case RecordFormat::csa_v3:
      return read_first_csa(bytes);
    case RecordFormat::jkf:
      return read_jkf(bytes);
    case RecordFormat::usi:
      return read_usi(bytes);
    default:
      return read_kif(bytes);
  }
}

bool is_csa_line(std::string_view line) {
  constexpr std::string_view kSecond = "+-I123456789";
  if (line == "+" || line == "-" || csa_version(line)) return true;
  if (line.starts_with("N+") || line.starts_with("N-") || line.starts_with('$') || line.starts_with('\'')) return true;
  return line.size() >= 2 && line[0] == 'P' && kSecond.contains(line[1]);
}

// What one reader takes is one format as far as reading goes.
bool same_reader(RecordFormat a, std::optional<RecordFormat> b) {
  const auto reader = [](RecordFormat format) {
    switch (format) {
      case RecordFormat::csa_v3:
        return RecordFormat::csa;
      case RecordFormat::kifu:
      case RecordFormat::ki2:
      case RecordFormat::ki2u:
        return RecordFormat::kif;
      default:
        return format;
    }
  };
  return b && reader(a) == reader(*b);
}

bool has_branches(RecordFormat format) { return same_reader(format, RecordFormat::kif) || format == RecordFormat::jkf; }

// As others read it. CSA keeps a declaration and the comment that judges it, the rest say what became of it; and lines
// of a CSA file that nobody understood are comments in the next one.
std::expected<std::string, std::string> judged_text_of(const Game& game, RecordFormat format) {
  const bool csa = same_reader(format, RecordFormat::csa);
  const EndKind kind = csa ? game.end.kind : judged_end(game);
  const auto is_unparsed = [csa](const Comment& each) { return csa && each.kind == Comment::Kind::unparsed; };
  if (kind == game.end.kind && std::ranges::none_of(game.comments, is_unparsed)) return text_of(game, format);
  Game judged = game;
  judged.end.kind = kind;
  for (Comment& each : judged.comments) {
    if (is_unparsed(each)) each.kind = Comment::Kind::note;
  }
  return text_of(judged, format);
}

// By the first line that says something; nothing if that is none of CSA, JKF and USI.
std::optional<RecordFormat> format_of_first_line(std::string_view bytes) {
  std::string_view rest = without_mark(bytes);
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (line.empty()) continue;
    if (line.starts_with('{')) return RecordFormat::jkf;
    for (const std::string_view word : {"position", "startpos", "sfen", "moves"}) {
      if (line.starts_with(word)) return RecordFormat::usi;
    }
    if (is_csa_line(line)) return RecordFormat::csa;
    if (is_bare_usi(line)) return RecordFormat::usi;
    break;
  }
  return std::nullopt;
}

// KIF and KI2 have one reader; which of them it was is told by how lines begin, in either encoding.
RecordFormat kif_or_ki2(std::string_view bytes) {
  for (const std::string_view mark : {"▲", "△", "\x81\xA3", "\x81\xA2"}) {
    if (bytes.find(std::string("\n") + std::string(mark)) != std::string_view::npos) return RecordFormat::ki2;
  }
  return RecordFormat::kif;
}

}  // namespace

std::string_view extension_of(RecordFormat format) { return facts(format).extension; }
std::string_view content_type_of(RecordFormat format) { return facts(format).content_type; }

std::optional<RecordFormat> format_by_extension(std::string_view extension) {
  std::string lower(extension);
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  for (const RecordFormat format : kRecordFormats) {
    if (lower == extension_of(format)) return format;
  }
  return std::nullopt;
}

std::expected<RecordFile, std::string> write_record(const Game& game, RecordFormat format) {
  auto text = judged_text_of(game, format);
  if (!text) return std::unexpected(std::move(text.error()));
  // Files are read on terminals, too; what a player has written into them must not be obeyed there.
  auto encoded = encode_from_utf8(without_controls(*text), facts(format).encoding);
  if (!encoded) return std::unexpected(std::move(encoded.error()));
  return RecordFile{.bytes = std::move(encoded->text),
                    .content_type = content_type_of(format),
                    .replaced = encoded->bad,
                    .missing = encoded->bad > 0 ? missing_from(facts(format).encoding, *text) : "",
                    .left_out = has_branches(format) ? 0 : game.branches.size()};
}

std::string RecordFile::losses() const {
  std::string out;
  if (left_out > 0) {
    out = counted(left_out, "variation") + (left_out == 1 ? " is" : " are") + " left out: the format has none";
  }
  if (replaced == 0) return out;
  return out + (out.empty() ? "" : "; ") + std::to_string(replaced) +
         " characters that Shift_JIS does not have became '?': " + missing + " (.kifu and .ki2u keep them)";
}

std::expected<ReadRecord, Diagnostic> read_record(std::string_view bytes, std::string_view name) {
  if (const auto plain = plain_file(bytes)) return read_record(*plain, name);
  const std::size_t dot = name.rfind('.');
  const auto named = dot == std::string_view::npos ? std::nullopt : format_by_extension(name.substr(dot + 1));
  const auto found = format_of_first_line(bytes);
  const RecordFormat first = found && !same_reader(*found, named) ? *found : named.value_or(kif_or_ki2(bytes));
  auto file = read_as(bytes, first);
  if (file) return ReadRecord{.format = first, .file = *std::move(file)};
  // A wrong extension. Nearly any text is a KIF file of headers, so only moves count as a better answer.
  const RecordFormat second = found ? named.value_or(first) : kif_or_ki2(bytes);
  auto other = same_reader(first, second) ? std::unexpected(Diagnostic{}) : read_as(bytes, second);
  if (!other || other->game.moves.empty()) return std::unexpected(std::move(file.error()));
  return ReadRecord{.format = second, .file = *std::move(other)};
}

std::expected<std::vector<ReadRecord>, Diagnostic> read_records(std::string_view bytes, std::string_view name) {
  auto first = read_record(bytes, name);
  if (!first) return std::unexpected(std::move(first.error()));
  std::vector<ReadRecord> records;
  const RecordFormat format = first->format;
  if (same_reader(format, RecordFormat::csa)) {
    auto all = read_csa(bytes);
    if (!all) return std::unexpected(std::move(all.error()));
    for (CsaGame& each : all->games) {
      records.push_back({format, {all->encoding, std::move(each.game), std::move(each.warnings)}});
    }
  } else if (format == RecordFormat::usi) {
    auto all = read_usi_lines(bytes);
    if (!all) return std::unexpected(std::move(all.error()));
    for (GameFile& each : *all) records.push_back({format, std::move(each)});
  } else {
    records.push_back(*std::move(first));
  }
  return records;
}

}  // namespace fuhyo::record
