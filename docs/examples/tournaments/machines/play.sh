#!/usr/bin/env bash
# Holds the event ../machines.toml on a server of its own and puts its tables and records into FOLDER/machines.zip, its
# pages as files into FOLDER/site (open site/index.html); everything else of that server lies in FOLDER, too.
#
#     docs/examples/tournaments/machines/play.sh FOLDER
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
folder=$(readlink -m "${1:?play.sh FOLDER}")
cd "$here/../../../.."
mkdir -p "$folder"
[[ ! -e $folder/data ]] || { echo "$folder/data is there already: an event is held once" >&2; exit 1; }
# Players who come before their event would be paired with one another.
install -d -m 700 "$folder/data" "$folder/data/rooms"
printf 'games = "machines-*"\npairing = "host"\n' > "$folder/data/rooms/machines.toml"

# Ports are free ones, so that this does not meet a server that runs; the log says where the page is.
./dev serve --config "$here/serve.toml" --builtin off --data "$folder/data" --csa 127.0.0.1:0 --http 127.0.0.1:0 \
  > "$folder/server.out" 2> "$folder/server.log" &
server=$!
trap 'kill $server 2> /dev/null || true; wait $server 2> /dev/null || true' EXIT

tournament() { build/bin/fuhyo tournament "$@" --data "$folder/data"; }
until [[ -S $folder/data/admin.sock ]]; do
  kill -0 $server 2> /dev/null || { cat "$folder/server.log" >&2; exit 1; }
  sleep 1
done
grep listening "$folder/server.out"

tournament new "$here/../machines.toml"
until [[ $(tournament show machines | grep -c waits) == 6 ]]; do sleep 1; done
tournament start machines
until tournament show machines | grep -q '^machines is over'; do sleep 5; done
tournament table machines
tournament export machines --output "$folder/machines.zip"
tournament export machines --site "$folder/site"
