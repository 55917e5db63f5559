#!/bin/bash
# Takes the README's picture of the page, docs/images/page.png: the map of the demonstration's floor, light, 1280 px wide.
#   screenshot.sh         starts the demonstration, and ends it
#   screenshot.sh LINK    uses one that runs: LINK is its first link, which must not have been used
# Needs Debian's chromium; Playwright and Pillow are installed from PyPI into .build.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
command -v chromium >/dev/null || {
    echo "error: chromium isn't there: apt-get install --no-install-recommends chromium" >&2
    exit 69
}
environment=.build/screenshot-venv
if ! $environment/bin/python -c 'import PIL, playwright' 2>/dev/null; then
    rm -rf $environment
    python3 -m venv $environment
    $environment/bin/pip install --quiet --disable-pip-version-check 'playwright>=1.50,<2' 'pillow>=11,<13' >&2
fi

demo=''
output=$(mktemp)
# shellcheck disable=SC2317 # The trap calls it.
finish() {
    if [ -n "$demo" ]; then
        kill -TERM "$demo" 2>/dev/null || true
        wait "$demo" 2>/dev/null || true
    fi
    rm -f "$output"
}
trap finish EXIT
link=${1:-}
if [ -z "$link" ]; then
    env -u DEMO_SECONDS scripts/demo.sh </dev/null >"$output" 2>&1 &
    demo=$!
    for _ in $(seq 600); do
        link=$(grep -o 'http://127\.0\.0\.1:[0-9]*/sign-in/link?token=[-_A-Za-z0-9]*' "$output" | head -n 1 || true)
        [ -z "$link" ] || break
        kill -0 "$demo" 2>/dev/null || break
        sleep 0.5
    done
    [ -n "$link" ] || {
        echo "error: the demonstration prints no link:" >&2
        cat "$output" >&2
        exit 70
    }
fi

mkdir -p docs/images
LINK=$link $environment/bin/python - docs/images/page.png <<'PYTHON'
import io
import os
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

WIDTH, HEIGHT, LARGEST = 1280, 860, 200_000
LEAST_PEOPLE = 6
link, path = os.environ["LINK"], sys.argv[1]
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"])
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce")
    page = context.new_page()
    page.goto(link)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto(link.split("/sign-in/")[0] + "/floors/demo/main/1")
    page.wait_for_function(
        f"document.querySelectorAll('#floor circle.mark.person').length >= {LEAST_PEOPLE}", timeout=120_000)
    # The stream of positions has begun, and the uncertainty of the first seconds is over.
    page.wait_for_timeout(20_000)
    picture = page.screenshot(animations="disabled")
    browser.close()
image = Image.open(io.BytesIO(picture)).convert("RGB")
for colors in (256, 128, 64):
    buffer = io.BytesIO()
    image.quantize(colors, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
    if buffer.tell() < LARGEST:
        break
else:
    sys.exit(f"error: the picture has {buffer.tell()} bytes, and must have less than {LARGEST}")
with open(path, "wb") as file:
    file.write(buffer.getvalue())
print(f"{path}: {image.width} x {image.height}, {buffer.tell()} bytes")
PYTHON
