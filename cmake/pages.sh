#!/bin/sh
# Makes what programs say of themselves: OUT/man/*.1.gz and OUT/{bash,zsh,fish}/, under the names that shells look for.
#
#     pages.sh OUT SOURCE PROGRAM...      SOURCE: this repository, with the pages that are written by hand
set -eu
out=$1 source=$2
shift 2
rm -rf "$out"
mkdir -p "$out/man" "$out/bash" "$out/zsh" "$out/fish"
cp "$source/docs/man/"*.1 "$out/man/"
for program; do
  name=$(basename "$program")
  "$program" manual "$out/man"
  "$program" completion bash > "$out/bash/$name"
  "$program" completion zsh > "$out/zsh/_$name"
  "$program" completion fish > "$out/fish/$name.fish"
done
gzip -9n "$out/man/"*.1
gzip -9nc "$source/docker/debian/changelog" > "$out/changelog.gz"
