# Compiler settings of the whole project, and the verbs its CMakeLists are written in: fuhyo_room (a library) and
# fuhyo_program (an executable in build/bin). Those of tests are in Tests.cmake.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR
    "Fuhyo is built with clang 19 (g++ 12 miscompiles coroutines): use a preset, e.g. cmake --preset release")
endif()

# "" | "address" (ASan + UBSan) | "thread" | "fuzz" (libFuzzer + ASan + UBSan) | "coverage"
set(FUHYO_SANITIZE "" CACHE STRING "Sanitizer preset")

# The instruction set that the whole project is compiled for. x86-64-v3 (AVX2, BMI2; Haswell and Zen on) is what
# every engine of the field asks for; "x86-64-v2" runs on anything since 2009 and "native" is for one's own machine.
set(FUHYO_ARCH "x86-64-v3" CACHE STRING "Value of -march on x86-64")

add_library(fuhyo_flags INTERFACE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(fuhyo_flags INTERFACE -march=${FUHYO_ARCH})
endif()
target_include_directories(fuhyo_flags INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(fuhyo_flags INTERFACE
  -Wall -Wextra -Wconversion $<$<NOT:$<BOOL:$<TARGET_PROPERTY:FUHYO_SHADOWS>>>:-Wshadow>
  -Wnon-virtual-dtor -Werror -fno-omit-frame-pointer
  -Wno-missing-designated-field-initializers  # what a designated initializer leaves out is value-initialised on purpose
  "SHELL:-Xclang -fno-pch-timestamp")  # or ccache could not keep precompiled headers
# A program asks for the libraries that it uses, not for those that a room it knows could use (records: Boost.JSON).
if(WIN32)
  target_compile_definitions(fuhyo_flags INTERFACE NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00)  # Windows 10
else()
  target_link_options(fuhyo_flags INTERFACE -fuse-ld=lld -Wl,--as-needed)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND FUHYO_SANITIZE STREQUAL "" AND NOT FUHYO_ENGINES_ONLY)
  # Hardened: stack canaries, checked libc calls, library assertions, no writable relocations. What fuhyo_fast names
  # goes without the first and the third.
  set(hardened "$<NOT:$<BOOL:$<TARGET_PROPERTY:FUHYO_FAST>>>")
  target_compile_options(fuhyo_flags INTERFACE
    "$<${hardened}:-fstack-protector-strong;-fstack-clash-protection;-D_GLIBCXX_ASSERTIONS>"
    -fcf-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  target_link_options(fuhyo_flags INTERFACE -Wl,-z,relro,-z,now)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
if(FUHYO_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
elseif(FUHYO_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
elseif(FUHYO_SANITIZE STREQUAL "fuzz")
  add_compile_options(-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
elseif(FUHYO_SANITIZE STREQUAL "coverage")
  # Counters of several threads stay right.
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic)
  add_link_options(-fprofile-instr-generate)
elseif(NOT FUHYO_SANITIZE STREQUAL "")
  message(FATAL_ERROR "FUHYO_SANITIZE must be empty, address, thread, fuzz or coverage, not '${FUHYO_SANITIZE}'")
endif()

# fuhyo_computes(TARGET): the sanitizer builds optimise it, as they do kernels. For the other libraries that makes tests
# wait longer for the compiler (three times its time) than for their code.
function(fuhyo_computes target)
  if(NOT FUHYO_SANITIZE STREQUAL "")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# fuhyo_fast(TARGET): a library on whose speed the engines depend. In release builds its objects also carry what the
# linker needs to optimise across them (a program asks for that by fuhyo_link_fast), and stack canaries and the checks
# of the standard library are left to the sanitizer builds.
function(fuhyo_fast target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND FUHYO_SANITIZE STREQUAL "" AND NOT FUHYO_ENGINES_ONLY)
    set_target_properties(${target} PROPERTIES FUHYO_FAST ON)
    target_compile_options(${target} PRIVATE -flto=thin -ffat-lto-objects)
  endif()
endfunction()
function(fuhyo_link_fast program)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND FUHYO_SANITIZE STREQUAL "" AND NOT FUHYO_ENGINES_ONLY)
    target_link_options(${program} PRIVATE -flto=thin -ffat-lto-objects -O3)
  endif()
endfunction()

# fuhyo_precompile(TARGET [header...]): reads these headers once for all sources of a library, and with them what
# nearly every source includes. Libraries that are compiled alike and ask for the same headers share what was read. No
# source may rely on it: each includes what it uses, as a build with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows.
function(fuhyo_precompile target)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL fuhyo_precompile_now ${target} \"${ARGN}\")")  # all is known then
endfunction()
function(fuhyo_precompile_now target headers)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(fast ${target} FUHYO_FAST)
  set(formatting "")
  if("fmt::fmt" IN_LIST libraries)
    set(formatting <fmt/format.h>)
  endif()
  string(MD5 alike "${options};${fast};${formatting};${headers}")
  get_property(owner GLOBAL PROPERTY fuhyo_precompiled_${alike})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  set_property(GLOBAL PROPERTY fuhyo_precompiled_${alike} ${target})
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <charconv> <chrono> <deque> <expected> <filesystem>
    <fstream> <functional> <map> <memory> <mutex> <optional> <random> <span> <sstream> <string> <string_view> <thread>
    <unordered_map> <utility> <variant> <vector> ${formatting} ${headers})
endfunction()

# fuhyo_jumbo(TARGET [SANITIZED] [APART file...]): its sources are compiled eight at a time, because each of them alone
# instantiates the same templates (Asio, JSON, variants) and takes seconds. APART: sources that name something of their
# own as one does that they would be compiled with. SANITIZED: only where a sanitizer is at work or for other machines;
# in release builds each stays alone, as it was measured. What one source shadows of another one is nobody's mistake. No
# source may rely on another one's includes: -DFUHYO_JUMBO=OFF compiles each alone, as the presets for debuggers and for
# clang-tidy do.
option(FUHYO_JUMBO "Compile the sources of large rooms several at a time" ON)
function(fuhyo_jumbo target)
  cmake_parse_arguments(ARG "SANITIZED" "" "APART" ${ARGN})
  if(FUHYO_JUMBO AND NOT (ARG_SANITIZED AND FUHYO_SANITIZE STREQUAL "" AND NOT FUHYO_ENGINES_ONLY))
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8 FUHYO_SHADOWS ON)
    set_property(SOURCE ${ARG_APART} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# fuhyo_kernels(FILE [OPTIONS flag...]): a source for one instruction set. It shares no function with other sources, so
# it takes no precompiled header and is compiled alone.
function(fuhyo_kernels file)
  cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
  if(NOT FUHYO_SANITIZE STREQUAL "")
    list(APPEND ARG_OPTIONS -O1)  # the last one wins
  endif()
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${ARG_OPTIONS}" SKIP_PRECOMPILE_HEADERS ON
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# fuhyo_embed(SOURCE MACRO FILE): FILE is part of the program by way of SOURCE, which finds its path in MACRO
# (engines/machine/embedded.h). The digest is for a compiler cache, which sees neither that the assembler reads the file
# nor that it changed.
function(fuhyo_embed source macro file)
  cmake_path(ABSOLUTE_PATH file)
  file(SHA256 "${file}" digest)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS "${file}")
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS "${macro}=\"${file}\"" "${macro}_SHA256=${digest}")
endfunction()

# fuhyo_of_this_system(LIST): takes out what is for another operating system (*_linux.cpp, *_windows.cpp).
function(fuhyo_of_this_system list)
  set(sources ${${list}})
  if(WIN32)
    list(FILTER sources EXCLUDE REGEX "_linux\\.cpp$")
  else()
    list(FILTER sources EXCLUDE REGEX "_windows\\.cpp$")
  endif()
  set(${list} ${sources} PARENT_SCOPE)
endfunction()

# fuhyo_room(NAME [DEPS target...] [PCH header...] [WITHOUT file...]): every .cpp under the folder, but for those
# without, is the library fuhyo_<NAME>; PCH: see fuhyo_precompile.
function(fuhyo_room name)
  cmake_parse_arguments(ARG "" "" "DEPS;PCH;WITHOUT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(TRANSFORM ARG_WITHOUT PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  list(REMOVE_ITEM sources ${ARG_WITHOUT})
  fuhyo_of_this_system(sources)
  if(sources)
    add_library(fuhyo_${name} STATIC ${sources})
    target_link_libraries(fuhyo_${name} PUBLIC fuhyo_flags ${ARG_DEPS})
    fuhyo_precompile(fuhyo_${name} ${ARG_PCH})
  else()
    add_library(fuhyo_${name} INTERFACE)
    target_link_libraries(fuhyo_${name} INTERFACE fuhyo_flags ${ARG_DEPS})
  endif()
endfunction()

# What ./dev builds by name: the programs that people run.
add_custom_target(programs)

# fuhyo_program(NAME SOURCES file... DEPS target...): an executable in <build>/bin.
function(fuhyo_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PCH" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE fuhyo_flags ${ARG_DEPS})
  if(ARG_PCH)
    target_precompile_headers(${name} PRIVATE ${ARG_PCH})
  endif()
  set(tests_folder "${CMAKE_SOURCE_DIR}/tests")
  cmake_path(IS_PREFIX tests_folder "${CMAKE_CURRENT_SOURCE_DIR}" for_tests)
  if(NOT for_tests)
    add_dependencies(programs ${name})
  endif()
endfunction()
