// Tables of a tournament as one page. Everything that somebody else wrote goes through html_escaped().
#include <fmt/format.h>

#include "server/net/html_text.h"
#include "server/net/tournament/tables.h"

namespace fuhyo::net {
namespace {

using namespace core::tournament;

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark;font-family:system-ui,'Noto Sans CJK JP',sans-serif}"
    "body{margin:1rem}.scroll{overflow-x:auto}"
    "table{border-collapse:collapse;margin:.5rem 0}"
    "th,td{border:1px solid #8888;padding:.2rem .5rem;white-space:nowrap;text-align:center}"
    "td.name,th.name{text-align:left;position:sticky;left:0;background:Canvas}"
    "td.num{text-align:right;font-variant-numeric:tabular-nums}"
    ".win{font-weight:bold}.pending{font-style:italic}.self{background:#8884}"
    "a{color:inherit}small{opacity:.8}";

class Page {
 public:
  Page(Language language, const RecordLink& link) : en_(language == Language::en), language_(language), link_(link) {}

  std::string write(std::span<const Table> tables) {
    const std::string title = tables.empty() ? "" : html_escaped(tables.front().event.in(language_));
    add("<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", en_ ? "en" : "ja");
    add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n", title);
    add("<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n", kStyle, title);
    for (const Table& table : tables) this->table(table);
    out_ += "</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  void table(const Table& table) {
    const bool cross = usual_view(table.format) == View::cross;
    add("<h2>{} - {}</h2>\n<p>", html_escaped(table.stage.in(language_)), html_escaped(table.division.in(language_)));
    add("{} {}{}", en_ ? "Rounds paired:" : "回戦:", table.paired,
        table.rounds == 0 ? "" : fmt::format("/{}", table.rounds));
    add("{}</p>\n", table.final ? (en_ ? ", final" : "、確定") : "");
    add("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>\n",
        html_escaped(table.division.in(language_)));
    head(table, cross);
    for (std::size_t place = 0; place < table.rows.size(); ++place) row(table, place, cross);
    out_ += "</table></div>\n";
    if (table.reasons.empty()) return;
    out_ += "<ul>\n";
    for (const Table::Reason& reason : table.reasons) add("<li>{}</li>\n", html_escaped(en_ ? reason.en : reason.ja));
    out_ += "</ul>\n";
  }

  void head(const Table& table, bool cross) {
    add("<tr><th scope=\"col\">{}</th><th scope=\"col\" class=\"name\">{}</th>", en_ ? "#" : "順位",
        en_ ? "Name" : "名前");
    const std::size_t count = cross ? table.rows.size() : static_cast<std::size_t>(table.paired);
    for (std::size_t i = 1; i <= count; ++i) add("<th scope=\"col\">{}</th>", i);
    if (cross && table.has_alone()) out_ += "<th scope=\"col\">-</th>";
    add("<th scope=\"col\">{}</th>", en_ ? "Points" : "勝点");
    for (const TieBreak by : table.by) {
      if (by == TieBreak::points) continue;
      add("<th scope=\"col\"><abbr title=\"{}\">{}</abbr></th>", long_name(by, language_), short_name(by, language_));
    }
    add("<th scope=\"col\">{}</th></tr>\n", en_ ? "Performance" : "実績レート");
  }

  void row(const Table& table, std::size_t place, bool cross) {
    const TableRow& row = table.rows[place];
    add("<tr><td class=\"num\">{}{}</td><th scope=\"row\" class=\"name\">{}{}</th>", row.rank, row.shared ? "=" : "",
        html_escaped(row.name(language_)), row.left ? (en_ ? " <small>(left)</small>" : " <small>(棄権)</small>") : "");
    if (cross) {
      for (std::size_t other = 0; other < table.rows.size(); ++other) {
        add("<td{}>", other == place ? " class=\"self\"" : "");
        for (const Mark* mark : table.meetings(place, other)) this->mark(*mark);
        out_ += "</td>";
      }
      if (table.has_alone()) add("<td>{}</td>", row.alone(language_));
    } else {
      for (const RoundCell& cell : row.rounds) this->cell(cell);
    }
    add("<td class=\"num\"><b>{}</b></td>", to_text(row.points));
    for (std::size_t by = 0; by < table.by.size(); ++by) {
      if (table.by[by] == TieBreak::points) continue;
      add("<td class=\"num\">{}</td>", row.figures[by] ? figure_text(table.by[by], *row.figures[by]) : "");
    }
    add("<td class=\"num\">{}", row.performance ? fmt::format("{:.0f}", row.performance->rate) : "");
    if (row.performance && row.performance->error) add(" <small>±{:.0f}</small>", *row.performance->error);
    out_ += "</td></tr>\n";
  }

  void cell(const RoundCell& cell) {
    out_ += "<td>";
    if (cell.kind == RoundCell::Kind::game && !cell.annulled) {
      add("{} ", cell.opponent + 1);
      for (const Mark& mark : cell.marks) this->mark(mark);
      if (!cell.pending()) add(" <small>{}</small>", to_text(cell.total));
    } else {
      out_ += html_escaped(cell_text(cell, language_));
    }
    out_ += "</td>";
  }

  void mark(const Mark& mark) {
    const std::string text = marks_text({&mark}, language_);
    if (text.empty()) return;
    const std::string_view look = mark.sign == Sign::win ? "win" : mark.sign == Sign::pending ? "pending" : "other";
    add("<span class=\"{}\">", look);
    const std::string address = mark.record.empty() ? std::string() : link_(mark.record);
    if (address.empty()) {
      out_ += text;
    } else {
      add("<a href=\"{}\">{}</a>", html_escaped(address), text);
    }
    out_ += "</span>";
  }

  bool en_;
  Language language_;
  const RecordLink& link_;
  std::string out_;
};

}  // namespace

std::string url_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       std::string_view("-._~").contains(c);
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string tables_html(std::span<const Table> tables, Language language, const RecordLink& link) {
  return Page(language, link).write(tables);
}

std::string tables_html(std::span<const Table> tables, Language language, std::string_view before) {
  return tables_html(tables, language, [before](std::string_view record) {
    return before.empty() ? std::string() : std::string(before) + url_escaped(record);
  });
}

}  // namespace fuhyo::net
