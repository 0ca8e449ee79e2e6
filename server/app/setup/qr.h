// A text as a QR code, for terminals and pages. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::app {

// The symbol (ISO/IEC 18004, level M) with its margin of four modules, in lines of UTF-8. A line has two rows of
// modules, as half blocks: what is light is drawn, for bright letters on a dark ground. Empty: the text is too long for
// a symbol, or has a zero byte.
std::vector<std::string> qr_lines(std::string_view text);
// The same as an element <svg class="code"> of HTML, dark on light; empty as above.
std::string qr_svg(std::string_view text);

}  // namespace fuhyo::app
