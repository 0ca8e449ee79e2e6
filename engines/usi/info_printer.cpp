#include "engines/usi/info_printer.h"

namespace fuhyo::usi {

void InfoPrinter::report(const Info& info) {
  const bool says_something_else = !info.score && info.pv.empty();
  if (says_something_else) return print(info);
  if (info.multipv.value_or(1) == 1) {
    held_back_.clear();
    const std::int64_t now = info.time_ms.value_or(0);
    printing_ = settings_.interval_ms == 0 || now - printed_ms_ >= settings_.interval_ms;
    if (printing_) printed_ms_ = now;
  }
  if (printing_) {
    print(info);
  } else {
    held_back_.push_back(info);
  }
}

void InfoPrinter::finish() {
  for (const Info& info : held_back_) print(info);
  held_back_.clear();
}

void InfoPrinter::print(Info info) const {
  if (settings_.wdl && info.score && !info.wdl) info.wdl = wdl_of(*info.score);
  print_(to_text(info));
}

}  // namespace fuhyo::usi
