#!/usr/bin/env bash
# The tests of networks on a 64-bit ARM that qemu plays: the code of NEON, beside plain C++, against the naive networks;
# of NNUE, and of policy and value.
#
#     tests/system/arm/networks.sh [GOOGLETEST-FLAG...]     builds in build-arm/, then runs
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../.."

out=build-arm
googletest=/usr/src/googletest/googletest
compile=(clang++-19 --target=aarch64-linux-gnu -std=c++23 -O2 -I. -DFMT_HEADER_ONLY "-DFUHYO_SOURCE_DIR=\"$PWD\""
  -Wall -Wextra -Wconversion -Wshadow -Werror -Wno-missing-designated-field-initializers)
if command -v ccache > /dev/null; then compile=(ccache "${compile[@]}"); fi
mkdir -p "$out"

objects=()
build() {  # SOURCE [FLAG...]
  local object
  object="$out/$(tr / _ <<< "${1#/}").o"
  "${compile[@]}" "${@:2}" -c "$1" -o "$object"
  objects+=("$object")
}

for source in engines/shogi/*.cpp engines/machine/*.cpp engines/nnue/net/*.cpp; do
  case $source in
    */loading.cpp | */built_in.cpp | *_windows.cpp) ;;  # about options of an engine, or for another system
    *) build "$source" ;;
  esac
done
for test in naive_network net_test net_file_test; do build "tests/unit/nnue/$test.cpp"; done
for source in engines/nn/*.cpp engines/nn/onnx/*.cpp; do
  case $source in
    */loading.cpp) ;;  # it knows every back end, and these are about that of the CPU
    */kernels_*) build "$source" -ffp-contract=fast -fno-math-errno -O3 ;;
    *) build "$source" ;;
  esac
done
for test in tests/unit/nn/*.cpp; do
  case $test in
    */cuda_backend_test.cpp | */emulated_device.cpp | */onnxruntime_test.cpp) ;;
    *) build "$test" -include gtest/gtest.h -isystem "$googletest/include" ;;
  esac
done
for source in gtest-all gtest_main; do
  build "$googletest/src/$source.cc" -isystem "$googletest/include" -I"$googletest" -w
done
clang++-19 --target=aarch64-linux-gnu -fuse-ld=lld-19 -static "${objects[@]}" -o "$out/test_networks"
exec qemu-aarch64 "$out/test_networks" "$@"
