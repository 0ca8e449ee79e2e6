# cmake -DINPUT=file -DOUTPUT=header -DNAME=identifier -P Embed.cmake: a text file as a C++ string, in parts because
# compilers bound the length of one literal.
file(READ "${INPUT}" text)
string(LENGTH "${text}" length)
set(parts "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 8000 part)
  string(APPEND parts "    R\"~page~(${part})~page~\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE "${OUTPUT}" "// Made from ${NAME}'s source file by cmake/Embed.cmake.\n#pragma once\n\n#include <string_view>\n\n"
  "inline constexpr std::string_view ${NAME} =\n${parts}    ;\n")
