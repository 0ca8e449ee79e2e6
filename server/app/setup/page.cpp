#include "server/app/setup/page.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <optional>
#include <utility>

#include "engines/record/lines.h"
#include "server/app/config/operators.h"
#include "server/app/setup/qr.h"
#include "server/net/assets.h"
#include "server/net/html_text.h"
#include "server/net/http_server.h"
#include "server/net/query.h"
#include "server/secrets/random.h"

namespace fuhyo::app {
namespace {

using net::html_escaped;

constexpr std::string_view language_code(Language language) { return language == Language::ja ? "ja" : "en"; }

// The page's Origin would be "null" if it kept to the policy no-referrer of the server.
std::string page_of_setup(Language language, std::string_view style, std::string_view header, std::string_view inside) {
  constexpr Phrase kTitle = {"Set up a server", "サーバーの準備"};
  return fmt::format(
      "<!doctype html>\n<html lang=\"{0}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"same-origin\">\n<title>{1} · Fuhyō</title>\n"
      "<link rel=\"icon\" href=\"/icon.svg\" type=\"image/svg+xml\">\n{2}</head>\n<body>\n"
      "<header>{3}</header>\n"
      "<main><article>\n<h1>{1}</h1>\n{4}</article></main>\n</body>\n</html>\n",
      language_code(language), kTitle.in(language),
      style.empty() ? "" : fmt::format("<link rel=\"stylesheet\" href=\"{}\">\n", style), header, inside);
}

// A text to be typed, or one of a few words to be chosen.
std::string control(const Question& question, const Asking& asking) {
  const std::string common = fmt::format("id=\"{0}\" name=\"{0}\" aria-describedby=\"{0}-said\"", question.flag);
  if (std::ranges::any_of(question.takes, [](char c) { return c >= 'A' && c <= 'Z'; })) {
    std::string offered;
    if (question.flag == "address") {
      for (const std::string& each : asking.addresses) offered += fmt::format("<li>{}</li>", html_escaped(each));
      offered = fmt::format("<ol>{}</ol>", offered);
    }
    return fmt::format("<input {} value=\"{}\" autocomplete=\"off\" spellcheck=\"false\">{}", common,
                       html_escaped(question.initial), offered);
  }
  std::string choices;
  for (std::string_view rest = question.takes; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    choices += fmt::format("<option{}>{}</option>", word == question.initial ? " selected" : "", word);
  }
  return fmt::format("<select {}>{}</select>", common, choices);
}

std::string field(const Question& question, const Asking& asking, bool checked) {
  Answers ignored;
  const bool wrong = checked && !question.take(question.initial, asking, ignored);
  return fmt::format(
      "<div><label for=\"{0}\">{1}</label>{2}<span id=\"{0}-said\">{3}<small>{4}</small></span></div>\n", question.flag,
      html_escaped(question.asked.in(asking.language)), control(question, asking),
      wrong ? fmt::format("<strong class=\"wrong\">{}</strong>", html_escaped(question.wrong.in(asking.language))) : "",
      html_escaped(question.help.in(asking.language)));
}

// Of the pages of documents, which need no script either.
std::string style_of(const net::Assets& assets) {
  for (const auto& [path, asset] : assets.all()) {
    if (path.starts_with("/assets/docs-") && path.ends_with(".css")) return path;
  }
  return {};
}

// Who comes with the key, and what he gets. On the server's thread, but for wait().
class SetupPage {
 public:
  SetupPage(Asking asking, SetupPlace place, std::string_view key, std::string style)
      : asking_(std::move(asking)), place_(std::move(place)), key_hash_(hash_secret(key)), style_(std::move(style)) {}

  std::optional<net::FormReply> reply_to(const net::FormRequest& request);
  SetupEnd wait() { return ended_.get_future().get(); }

 private:
  bool finds(std::string_view path);
  void take_fields(std::string_view sent);
  std::optional<Answers> good_answers() const;

  Asking asking_;
  SetupPlace place_;
  std::string key_hash_, style_;
  std::optional<SetupEnd> end_;
  std::promise<SetupEnd> ended_;
};

// "/KEY/en"
bool SetupPage::finds(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos || slash == 0 || !is_secret(key_hash_, path.substr(1, slash - 1))) return false;
  const std::string_view language = path.substr(slash + 1);
  asking_.language = language == "ja" ? Language::ja : Language::en;
  return language == language_code(asking_.language);
}

void SetupPage::take_fields(std::string_view sent) {
  net::Query fields(sent);
  for (const Question& question : questions_of(asking_)) {
    asking_.given[std::string(question.flag)] = record::trim(fields.text(question.flag));
  }
}

std::optional<Answers> SetupPage::good_answers() const {
  Answers answers;
  bool good = true;
  for (const Question& question : questions_of(asking_)) {
    good = question.take(question.initial, asking_, answers) && good;
  }
  return good ? std::optional(answers) : std::nullopt;
}

std::optional<net::FormReply> SetupPage::reply_to(const net::FormRequest& request) {
  if (!finds(request.path)) return std::nullopt;
  std::function<void()> taken;
  if (request.posted && !end_) {
    take_fields(request.sent);
    const auto answers = good_answers();
    if (answers) end_ = set_up(*answers, place_, asking_.language);
    if (answers) taken = [this] { ended_.set_value(*end_); };
  }
  return net::FormReply{
      .html = end_ ? setup_form_end(*end_, style_, asking_.language) : setup_form(asking_, style_, request.posted),
      .taken = std::move(taken)};
}

}  // namespace

std::string setup_form(const Asking& asking, std::string_view style, bool checked) {
  constexpr Phrase kHow = {"The answers go into {} and {}; before that nothing is written.",
                           "答えは {} と {} に書かれます。それまでは何も書きません。"},
                   kWrite = {"Write the files", "ファイルを書く"};
  const bool in_japanese = asking.language == Language::ja;
  const std::string header = fmt::format(
      "<span class=\"brand\"><img src=\"/icon.svg\" alt=\"\" width=\"28\" height=\"28\">Fuhyō</span>"
      "<a class=\"other\" href=\"{0}\" hreflang=\"{0}\" lang=\"{0}\">{1}</a>",
      in_japanese ? "en" : "ja", in_japanese ? "English" : "日本語");
  std::string form = fmt::format("<p>{}</p>\n<form method=\"post\">\n",
                                 fmt::format(fmt::runtime(kHow.in(asking.language)), kSetupConfig, kSetupEvent));
  for (const Question& question : questions_of(asking)) form += field(question, asking, checked);
  form += fmt::format("<button>{}</button>\n</form>\n", kWrite.in(asking.language));
  return page_of_setup(asking.language, style, header, form);
}

// The server sends nothing after it: no icon.
std::string setup_form_end(const SetupEnd& end, std::string_view style, Language language) {
  constexpr Phrase kDone = {"This page has ended. The terminal says the same.",
                            "このページは終了しました。同じ内容が端末にも表示されています。"};
  return page_of_setup(
      language, style, "<span class=\"brand\">Fuhyō</span>",
      fmt::format("<p>{}</p>\n<pre{}>{}</pre>\n{}", kDone.in(language), end.code == 0 ? "" : " class=\"wrong\"",
                  net::html_escaped_lines(end.said), qr_svg(end.page)));
}

std::expected<SetupEnd, std::string> ask_on_page(const Asking& asking, const SetupPlace& place) {
  constexpr Phrase kOpen = {"Open in a browser of this machine:", "このマシンのブラウザで開いてください:"};
  const std::string key = secrets::random_token();
  net::HttpOptions options;
  SetupPage page(asking, place, key, style_of(options.assets));
  options.form = [&page](const net::FormRequest& request) { return page.reply_to(request); };
  net::HttpServer server(std::move(options), {});
  const auto bound = server.listen("127.0.0.1:0");
  if (!bound) return std::unexpected(bound.error());
  server.start();
  fmt::print("{}\nhttp://{}/{}/{}\n", kOpen.in(asking.language), bound->front(), key, language_code(asking.language));
  std::fflush(stdout);
  return page.wait();
}

}  // namespace fuhyo::app
