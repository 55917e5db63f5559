"""A few pages under the page's Content-Security-Policy, good ones and bad ones: the harness has to tell them apart."""

import http.server
import os
import threading

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")

STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --line: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #16181c; --line: #9ec1ff; } }
body { margin: 0; padding: 1rem; font: 1rem/1.5 sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--line); }
a, button, input { transition: outline-color 0.1s; }
:focus-visible { outline: 3px solid var(--line); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.moves { animation: pulse 2s infinite; }
@keyframes pulse { 50% { translate: 4px; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
@media print { nav, form, .skip { display: none; } }
"""
BAD_STYLE = "body { font: 1rem sans-serif; } :focus { outline: none !important; } " \
    ".moves { animation: pulse 2s infinite; } @keyframes pulse { 50% { translate: 4px; } }"
SCRIPT = "document.querySelector('[role=status]').textContent = 'live';"


def page(body, style="/style.css", head=""):
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Made page</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="{style}">{head}</head><body>{body}</body></html>"""


GOOD = """<a class="skip" href="#content">Skip to content</a>
<header><nav aria-label="Pages"><a href="/">Overview</a> <a href="/second">Reports</a></nav></header>
<main id="content" tabindex="-1"><h1>Overview</h1><p role="status">waiting</p>
<p class="moves">Four people were exposed.</p>
<form method="post" action="/post"><label>Name <input name="name"></label>
<label><input type="radio" name="kind" value="a" checked> Badge</label>
<label><input type="radio" name="kind" value="b"> Phone</label>
<button>Search</button></form></main>"""
PAGES = {
    "/": page(GOOD, head='<script type="module" src="/live.js"></script>'),
    "/second": page(GOOD),
    # Nine faults that axe knows.
    "/faults": """<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/faults.css"></head><body><p class="pale">pale</p><img src="/favicon.ico"><input name="a">
<button></button><p>nothing is in a landmark</p></body></html>""",
    "/wide": page(GOOD.replace("<h1>", '<img alt="wide" width="2000" height="10" src="/favicon.ico"><h1>')),
    "/no-focus": page(GOOD, style="/bad.css"),
    "/no-name": page(GOOD.replace("<button>Search</button>", "<button></button>")),
    "/no-skip": page(GOOD.replace("Skip to content", "Home")),
    "/broken-skip": page(GOOD.replace("#content", "#elsewhere")),
    "/trap": page(GOOD, head='<script type="module" src="/trap.js"></script>'),
    "/trap-at-the-end": page(GOOD, head='<script type="module" src="/last-trap.js"></script>'),
    "/order": page(GOOD.replace('<a href="/second">', '<a href="/second" tabindex="1">')),
    "/inline": page(GOOD, head="<script>1</script>"),
    "/elsewhere": page(GOOD + '<img alt="" src="http://127.0.0.2:9/pixel.png">'),
    "/error": page(GOOD, head='<script type="module" src="/error.js"></script>'),
    "/missing-script": page(GOOD, head='<script type="module" src="/missing.js"></script>'),
}
ASSETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/Pages/Assets")


def asset(name):
    with open(os.path.join(ASSETS, name), encoding="utf-8") as file:
        return file.read()


PAGES["/waits"] = page(
    GOOD.replace('action="/post"', 'action="/post" data-waiting="Waiting for the gateway…"'),
    head='<script type="module" src="/page.js"></script>')
FILES = {
    # The page's own.
    "/page.js": ("text/javascript", asset("page.js")),
    "/style.css": ("text/css", STYLE),
    "/bad.css": ("text/css", BAD_STYLE),
    "/faults.css": ("text/css", ".pale { color: #ccc; background: #fff; }"),
    "/live.js": ("text/javascript", SCRIPT),
    "/trap.js": ("text/javascript", """addEventListener('keydown', event => {
        if (event.key === 'Tab' && document.activeElement.name === 'name') event.preventDefault();
    });"""),
    "/last-trap.js": ("text/javascript", """addEventListener('keydown', event => {
        if (event.key === 'Tab' && document.activeElement.matches('form button')) event.preventDefault();
    });"""),
    "/error.js": ("text/javascript", "throw new Error('planted');"),
    "/favicon.ico": ("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        # The browser stays where it is.
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(204)
        self.end_headers()

    def do_GET(self):
        path = self.path.partition("?")[0]
        status, kind, text = 404, "text/html; charset=utf-8", page(GOOD)
        if path in PAGES:
            status, text = 200, PAGES[path]
        elif path in FILES:
            status, (kind, text) = 200, FILES[path]
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class StaticSite:
    def __enter__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
