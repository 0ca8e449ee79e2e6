# 64-bit Windows, on this Linux: clang 19 with the headers and libraries of mingw-w64 (Debian:
# g++-mingw-w64-x86-64-posix, whose C++ threads are those of POSIX). What comes out asks a Windows for nothing but its
# own libraries.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER_TARGET x86_64-w64-mingw32)
set(CMAKE_CXX_COMPILER_TARGET x86_64-w64-mingw32)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# The searches go as deep as a Linux lets them by default; here threads and main() begin with 1 MiB.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fuse-ld=lld -Wl,--stack,8388608")
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(FUHYO_ENGINES_ONLY ON CACHE BOOL "Set by the toolchain")
