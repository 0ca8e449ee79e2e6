#!/usr/bin/env bash
# A compiler behind ccache, with the paths of precompiled headers made relative to the build folder: ccache itself does
# so only with paths that it understands, and CMake hands these over behind -Xclang. So checkouts in other folders share
# what was compiled (CCACHE_BASEDIR in ./dev).
exec ccache "${@#"$PWD"/}"
