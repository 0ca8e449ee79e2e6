// Files that a program carries. CMake's fuhyo_embed() names the file to a source, which has a line
//
//   FUHYO_EMBED(fuhyo_some_name, FUHYO_SOME_FILE)
//
// outside of any namespace; the bytes then are std::string_view(fuhyo_some_name, fuhyo_some_name_end). A name is one
// program's once. The assembler reads them: a compiler would take seconds for what they are as numbers.
#pragma once

#ifdef _WIN32
#define FUHYO_READ_ONLY ".section .rdata,\"dr\""
#define FUHYO_READ_ONLY_END ".text"
#else
#define FUHYO_READ_ONLY ".pushsection .rodata"
#define FUHYO_READ_ONLY_END ".popsection"
#endif

// NOLINTNEXTLINE(bugprone-macro-parentheses): names in declarations take none
#define FUHYO_EMBED(symbol, file)                                                                           \
  asm(FUHYO_READ_ONLY "\n.global " #symbol ", " #symbol "_end\n" #symbol ": .incbin \"" file "\"\n" #symbol \
                      "_end:\n" FUHYO_READ_ONLY_END);                                                       \
  extern "C" const char symbol[], symbol##_end[]
