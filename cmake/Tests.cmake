# How tests are declared: fuhyo_test (a GoogleTest executable) and fuhyo_script_test (a script, and programs that it
# starts). What is labelled slow is for `./dev test all`.
#
# Targets: check (what the tests of `./dev test` need), check_slow (the others), check_unit, check_golden, check_sim
# (those of one kind, for the sanitizer lanes).
add_custom_target(check)
add_custom_target(check_slow)
foreach(kind unit golden sim)
  add_custom_target(check_${kind})
endforeach()

set(FUHYO_HANGS_S 1800)  # seconds that only a test which hangs takes
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/cases")

# Headers of every test, read once for all that are compiled alike: for programs, so this is one, too.
function(fuhyo_test_headers name)
  add_executable(${name} EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/tests/support/headers.cpp")
  target_compile_options(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE fuhyo_flags GTest::gmock GTest::gtest fmt::fmt)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h> <fmt/format.h> <algorithm> <array> <chrono>
    <filesystem> <fstream> <functional> <map> <memory> <mutex> <optional> <sstream> <string> <string_view> <thread>
    <utility> <variant> <vector>)
endfunction()
fuhyo_test_headers(fuhyo_test_headers -O0)
fuhyo_test_headers(fuhyo_test_headers_optimised $<$<NOT:$<CONFIG:Debug>>:-O1>)

# fuhyo_test(NAME [OPTIMISED] [UNTHREADED] [SLOW] [SHARDS n] SOURCES file... DEPS target... [LABELS label...]
#            [PCH header...])
# An executable of GoogleTest cases, which CTest runs as SHARDS processes (1 unless given; 6 at least under a sanitizer)
# at once, NAME.1 ..., each with its share of the cases. Such a process that ends with 77 was skipped. OPTIMISED: the
# cases themselves compute much. UNTHREADED: no room that it knows starts a thread (tests/include_graph.py holds them to
# it), so the TSan lane goes without it. SLOW: for `./dev test all`. LABELS: beside the kind, which is the folder under
# tests/. PCH: headers that take as long to read as its sources; it then reads all of them for itself.
function(fuhyo_test name)
  cmake_parse_arguments(ARG "OPTIMISED;UNTHREADED;SLOW" "SHARDS" "SOURCES;DEPS;LABELS;PCH" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  # What is tested is optimised as it ships; the cases themselves run once, so compiling them quickly matters more.
  if(ARG_OPTIMISED)
    set(headers fuhyo_test_headers_optimised)
    target_compile_options(${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
  else()
    set(headers fuhyo_test_headers)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  target_link_libraries(${name} PRIVATE fuhyo_flags ${ARG_DEPS} GTest::gmock GTest::gtest GTest::gtest_main fmt::fmt)
  target_compile_definitions(${name} PRIVATE FUHYO_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(ARG_PCH)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h> ${ARG_PCH})
  else()
    target_precompile_headers(${name} REUSE_FROM ${headers})
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${CMAKE_SOURCE_DIR}/tests" OUTPUT_VARIABLE kind)
  string(REGEX REPLACE "/.*" "" kind "${kind}")
  if(ARG_UNTHREADED AND FUHYO_SANITIZE STREQUAL "thread")
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  set(labels ${kind} ${ARG_LABELS})
  if(ARG_SLOW)
    list(APPEND labels slow)
    add_dependencies(check_slow ${name})
  else()
    add_dependencies(check ${name})
    if(TARGET check_${kind})
      add_dependencies(check_${kind} ${name})
    endif()
  endif()
  list(REMOVE_DUPLICATES labels)
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  if(NOT FUHYO_SANITIZE STREQUAL "" AND ARG_SHARDS LESS 6)
    set(ARG_SHARDS 6)
  endif()
  foreach(shard RANGE 1 ${ARG_SHARDS})
    math(EXPR index "${shard} - 1")
    set(test ${name}.${shard})
    add_test(NAME ${test} COMMAND ${name})
    set(environment GTEST_TOTAL_SHARDS=${ARG_SHARDS} GTEST_SHARD_INDEX=${index} GTEST_BRIEF=1
      GTEST_OUTPUT=json:${CMAKE_BINARY_DIR}/cases/${test}.json)
    set_tests_properties(${test} PROPERTIES TIMEOUT ${FUHYO_HANGS_S} LABELS "${labels}" SKIP_RETURN_CODE 77
      ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# fuhyo_script_test(NAME SCRIPT [SLOW] [LABEL label] [PYTHON program] [COST seconds] ARGS word...)
# SCRIPT (Python, beside the CMakeLists) with ARGS, of which those that name a target become its file; NAME is what
# CTest calls it. It is skipped if it ends with 77. COST: long ones begin first.
function(fuhyo_script_test name script)
  cmake_parse_arguments(ARG "SLOW" "LABEL;PYTHON;COST" "ARGS" ${ARGN})
  if(NOT ARG_PYTHON)
    set(ARG_PYTHON Python3::Interpreter)
  endif()
  set(check check)
  set(labels ${ARG_LABEL})
  if(ARG_SLOW)
    set(check check_slow)
    list(APPEND labels slow)
  endif()
  set(words "")
  foreach(word IN LISTS ARG_ARGS)
    if(TARGET ${word})
      add_dependencies(${check} ${word})
      list(APPEND words $<TARGET_FILE:${word}>)
    else()
      list(APPEND words "${word}")
    endif()
  endforeach()
  add_test(NAME ${name} COMMAND ${ARG_PYTHON} -B "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${words})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${FUHYO_HANGS_S} LABELS "${labels}" SKIP_RETURN_CODE 77
    ENVIRONMENT "PYTHONPATH=${CMAKE_SOURCE_DIR}/tests/system")
  if(ARG_COST)
    set_tests_properties(${name} PROPERTIES COST ${ARG_COST})
  endif()
endfunction()
