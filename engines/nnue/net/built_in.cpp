#include "engines/nnue/net/built_in.h"

// The assembler reads the bytes: a compiler would take seconds for what they are as numbers.
asm(".pushsection .rodata\n"
    ".global fuhyo_built_in_network, fuhyo_built_in_network_end\n"
    "fuhyo_built_in_network: .incbin \"" FUHYO_BUILT_IN_NETWORK
    "\"\n"
    "fuhyo_built_in_network_end:\n"
    ".popsection");
extern "C" const char fuhyo_built_in_network[], fuhyo_built_in_network_end[];

namespace fuhyo::nnue {

std::string_view built_in_network() { return {fuhyo_built_in_network, fuhyo_built_in_network_end}; }

}  // namespace fuhyo::nnue
