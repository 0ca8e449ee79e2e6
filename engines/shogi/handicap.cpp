#include "engines/shogi/handicap.h"

#include <array>

namespace fuhyo::shogi {
namespace {

constexpr std::array<Handicap, 9> kHandicaps = {{
    {"hclance_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/1NSGKGSNL b - 1"},
    {"hcbishop_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b - 1"},
    {"hcrook_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1"},
    {"hcrooklance_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/1NSGKGSNL b - 1"},
    {"hc2p_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b - 1"},
    {"hc4p_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/1NSGKGSN1 b - 1"},
    {"hc6p_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/2SGKGS2 b - 1"},
    {"hc8p_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/3GKG3 b - 1"},
    {"hc10p_", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b - 1"},
}};

}  // namespace

std::optional<Handicap> handicap_of(std::string_view game_name) {
  for (const Handicap& handicap : kHandicaps) {
    if (game_name.starts_with(handicap.prefix)) return handicap;
  }
  return std::nullopt;
}

}  // namespace fuhyo::shogi
