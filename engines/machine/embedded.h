// Files that a program carries. CMake's fuhyo_embed() names the file to a source, which has a line
//
//   FUHYO_EMBED(fuhyo_some_name, FUHYO_SOME_FILE)
//
// outside of any namespace; the bytes then are std::string_view(fuhyo_some_name, fuhyo_some_name_end). A name is one
// program's once. The assembler reads them: a compiler would take seconds for what they are as numbers.
#pragma once

// NOLINTNEXTLINE(bugprone-macro-parentheses): names in declarations take none
#define FUHYO_EMBED(symbol, file)                                                                               \
  asm(".pushsection .rodata\n.global " #symbol ", " #symbol "_end\n" #symbol ": .incbin \"" file "\"\n" #symbol \
      "_end:\n.popsection");                                                                                    \
  extern "C" const char symbol[], symbol##_end[]
