# cmake -DINPUT=file -DOUTPUT=header -DNAME=identifier -P Embed.cmake: a file as a std::string_view. Byte by byte:
# parts of a long literal could cut a character in two.
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
string(REGEX REPLACE "(('[^,]*',){16})" "\\1\n  " bytes "${bytes}")
get_filename_component(input_name "${INPUT}" NAME)
file(WRITE "${OUTPUT}" "// Made from ${input_name} by cmake/Embed.cmake.\n#pragma once\n\n#include <string_view>\n\n"
  "inline constexpr char ${NAME}Bytes[] = {\n  ${bytes}'\\0'};\n"
  "inline constexpr std::string_view ${NAME}{${NAME}Bytes, sizeof ${NAME}Bytes - 1};\n")
