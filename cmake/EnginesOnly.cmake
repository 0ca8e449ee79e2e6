# What FUHYO_ENGINES_ONLY builds with instead of Debian's libraries, which are there for this kind of machine alone:
# headers of the same packages, which know no machine.
find_package(Threads REQUIRED)
set(FUHYO_HEADERS /usr/include CACHE PATH "Where the headers of Boost, CLI11 and fmt are")

# Links to just these: the folder itself holds the C library's headers for another machine.
set(headers "${CMAKE_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${headers}")
foreach(library boost CLI fmt)
  if(NOT EXISTS "${FUHYO_HEADERS}/${library}")
    message(FATAL_ERROR "There is no ${FUHYO_HEADERS}/${library}: FUHYO_HEADERS says where it is")
  endif()
  file(CREATE_LINK "${FUHYO_HEADERS}/${library}" "${headers}/${library}" SYMBOLIC)
endforeach()

add_library(fuhyo_headers INTERFACE)
target_include_directories(fuhyo_headers SYSTEM INTERFACE "${headers}")
target_compile_definitions(fuhyo_headers INTERFACE BOOST_ALL_NO_LIB)
add_library(Boost::headers ALIAS fuhyo_headers)

add_library(fuhyo_fmt INTERFACE)
target_link_libraries(fuhyo_fmt INTERFACE fuhyo_headers)
target_compile_definitions(fuhyo_fmt INTERFACE FMT_HEADER_ONLY)
add_library(fmt::fmt ALIAS fuhyo_fmt)

# Boost.JSON, which brings its sources as a header.
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/boost_json.cpp" CONTENT "#include <boost/json/src.hpp>\n")
add_library(fuhyo_json STATIC "${CMAKE_BINARY_DIR}/boost_json.cpp")
target_link_libraries(fuhyo_json PUBLIC fuhyo_headers)
target_compile_definitions(fuhyo_json PUBLIC BOOST_JSON_STATIC_LINK)
add_library(Boost::json ALIAS fuhyo_json)
