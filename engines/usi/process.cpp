#include "engines/usi/process.h"

namespace fuhyo::usi {
namespace {

// Where it separates the folders of a path, a backslash keeps nothing but a quote from its meaning.
bool is_escape(char next) {
#ifdef _WIN32
  return next == '"';
#else
  static_cast<void>(next);
  return true;
#endif
}

}  // namespace

std::expected<std::vector<std::string>, std::string> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // of a word, which may be empty when quoted
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size() && is_escape(text[i + 1])) {
      word += text[++i];
      inside = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t') {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) return std::unexpected("a quote is not closed in: " + std::string(text));
  if (inside) words.push_back(std::move(word));
  if (words.empty()) return std::unexpected(std::string("the command is empty"));
  return words;
}

}  // namespace fuhyo::usi
