#!/bin/bash
# Sends requests to a matcher that are made from its OpenAPI document, as somebody unknown, a phone and an operator:
# no answer may be one of a broken server, or one that the document doesn't have. MORE=200 makes more requests of each kind.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v mosquitto >/dev/null || PATH=$PATH:/usr/sbin
environment=.build/schemathesis
if [ ! -x $environment/bin/schemathesis ]; then
    python3 -m venv $environment
    $environment/bin/pip install --quiet 'schemathesis>=4,<5'
fi
environment=$PWD/$environment
program=$(swift build --show-bin-path)/beacon-matcher
directory=$(mktemp -d)
processes=()
# shellcheck disable=SC2317 # The trap calls it.
finish() {
    for process in "${processes[@]}"; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$directory"
}
trap finish EXIT

mqtt=$((20000 + RANDOM % 10000))
port=$((mqtt + 1))
token=$(head -c 24 /dev/urandom | base64)
echo "$token" >"$directory/operator.token"
printf 'listener %s 127.0.0.1\nallow_anonymous true\n' "$mqtt" >"$directory/mosquitto.conf"
cat >"$directory/matcher.toml" <<CONFIGURATION
[store]
location = "$directory/store.sqlite"

[mqtt]
host = "127.0.0.1"
port = $mqtt

[api]
listen = "127.0.0.1:$port"
requests-per-minute = 1000000
operator-token-file = "$directory/operator.token"
CONFIGURATION
mosquitto -c "$directory/mosquitto.conf" >"$directory/mosquitto.log" 2>&1 &
processes+=($!)
"$program" run --config "$directory/matcher.toml" --log-level warning >"$directory/matcher.log" 2>&1 &
matcher=$!
processes+=("$matcher")
api=http://127.0.0.1:$port/v1
for _ in $(seq 100); do
    curl --silent --fail --output "$directory/openapi.json" "$api/openapi.json" && break
    sleep 0.1
done
phone=$(curl --silent --fail --request POST "$api/phones")
field() { python3 -c 'import json, sys; print(json.loads(sys.argv[1])[sys.argv[2]])' "$phone" "$1"; }
printf '[parameters]\n"path.id" = "phone:%s"\n' "$(field id)" >"$directory/phone.toml"

status=0
attack() {
    echo "== as $1"
    shift
    # The stream of events has no end.
    (cd "$directory" && "$environment/bin/schemathesis" "$@" run "$directory/openapi.json" --url "http://127.0.0.1:$port" \
        --exclude-path '/v1/subjects/{id}/events' --max-examples "${MORE:-50}" "${headers[@]}") || status=1
}
headers=()
attack "somebody unknown"
headers=(--header "Authorization: Bearer $(field secret)")
attack "a phone" --config-file "$directory/phone.toml"
headers=(--header "Authorization: Bearer $token")
attack "an operator"
kill -0 "$matcher" || { echo "error: the matcher is gone:" >&2; cat "$directory/matcher.log" >&2; status=1; }
exit "$status"
