"""The proxies of deploy/, from the very files there: only names, ports and certificates are substituted."""

import os
import re
import shutil
import subprocess
import tempfile

from matcher import ROOT
from processes import free_ports, listens, program, stop, wait_until

HOST = "beacons.campus.example"
KINDS = ("nginx", "caddy")
UPSTREAM = "127.0.0.1:8480"
UNIX_UPSTREAM = "/run/beacon-matcher/api.sock"


class Authority:
    """A certificate authority of the test's own, with a certificate for the name of the deploy files."""

    def __init__(self, directory):
        self.certificate, self.chain, self.key = (
            os.path.join(directory, name) for name in ("ca.pem", "fullchain.pem", "privkey.pem"))
        ca_key, request, names = (os.path.join(directory, name) for name in ("ca.key", "request.pem", "names"))
        with open(names, "w", encoding="utf-8") as file:
            file.write(f"subjectAltName = DNS:{HOST}\nbasicConstraints = CA:FALSE\n")
        made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        self._run("req", "-x509", *made, "-days", "2", "-subj", "/CN=Authority of the test", "-keyout", ca_key, "-out",
                  self.certificate)
        self._run("req", *made, "-subj", f"/CN={HOST}", "-keyout", self.key, "-out", request)
        self._run("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", ca_key, "-CAcreateserial",
                  "-days", "2", "-extfile", names, "-out", self.chain)

    @staticmethod
    def _run(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, timeout=30)


class Proxy:
    """A running nginx or Caddy in front of `upstream`: HOST:PORT, or the path of a Unix socket."""

    def __init__(self, kind, upstream, ports=None):
        self.kind, self.upstream = kind, upstream
        self.http, self.https = ports or free_ports(2)
        self.address = f"https://{HOST}:{self.https}"

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="beacon-proxy-")
        self.authority = Authority(self.directory)
        try:
            command = {"nginx": self._nginx, "caddy": self._caddy}[self.kind]()
            self._log = os.path.join(self.directory, "proxy.log")
            environment = dict(os.environ, HOME=self.directory, XDG_DATA_HOME=self.directory,
                               XDG_CONFIG_HOME=self.directory)
            with open(self._log, "w", encoding="utf-8") as file:
                self._process = subprocess.Popen(
                    command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, env=environment,
                    start_new_session=True)
            wait_until(
                lambda: listens(self.http) and listens(self.https), f"{self.kind} listens", 20, self._process,
                self._log)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        stop(getattr(self, "_process", None))
        shutil.rmtree(self.directory, ignore_errors=True)

    def logged(self):
        with open(self._log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def _write(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def _deployed(self, name, changes):
        """Returns a file of deploy/ with substitutions, each of which has to be possible."""
        with open(os.path.join(ROOT, "deploy", name), encoding="utf-8") as file:
            text = file.read()
        if self.upstream.startswith("/"):
            # The line for a Unix socket is there as a comment, below the line that it stands for.
            text = replaced(
                text, rf"(?m)^[^#\n]*{re.escape(UPSTREAM)}.*\n(\s*)# ?(.*{re.escape(UNIX_UPSTREAM)}.*)$", r"\1\2")
            changes = changes + [(rf"(?m)^([^#\n]*){re.escape(UNIX_UPSTREAM)}", rf"\g<1>{self.upstream}")]
        else:
            changes = changes + [(rf"(?m)^([^#\n]*){re.escape(UPSTREAM)}", rf"\g<1>{self.upstream}")]
        for pattern, replacement in changes:
            text = replaced(text, pattern, replacement)
        return text

    def _nginx(self):
        self._write("beacon-matcher.conf", self._deployed("nginx/beacon-matcher.conf", [
            (r"listen 80;", f"listen 127.0.0.1:{self.http};"),
            (r"listen \[::\]:80;", f"listen [::1]:{self.http};"),
            (r"listen 443 ", f"listen 127.0.0.1:{self.https} "),
            (r"listen \[::\]:443 ", f"listen [::1]:{self.https} "),
            (rf"https://{re.escape(HOST)}\$", f"https://{HOST}:{self.https}$"),
            (r"/etc/ssl/[\w.]+/fullchain\.pem", self.authority.chain),
            (r"/etc/ssl/[\w.]+/privkey\.pem", self.authority.key)]))
        # What Debian's nginx.conf has around it.
        user = "user root;\n" if os.geteuid() == 0 else ""
        temporary = "\n".join(
            f"    {name}_temp_path {self.directory}/{name};" for name in (
                "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        main = self._write("nginx.conf", f"""{user}daemon off;
pid {self.directory}/nginx.pid;
error_log stderr warn;
worker_processes 1;
events {{ worker_connections 768; }}
http {{
    access_log off;
{temporary}
    include {self.directory}/beacon-matcher.conf;
}}
""")
        return [program("nginx"), "-p", self.directory, "-e", "stderr", "-c", main]

    def _caddy(self):
        site = self._deployed("caddy/Caddyfile", [
            (rf"(?m)^{re.escape(HOST)} {{$",
             f"{HOST} {{\n\ttls {self.authority.chain} {self.authority.key}")])
        main = self._write("Caddyfile", f"""{{
	admin off
	http_port {self.http}
	https_port {self.https}
	default_bind 127.0.0.1
	storage file_system {self.directory}
}}

{site}""")
        return [program("caddy"), "run", "--adapter", "caddyfile", "--config", main]


def replaced(text, pattern, replacement):
    """Substitutes, and fails if there is nothing to substitute."""
    text, count = re.subn(pattern, replacement, text)
    assert count, f"the file has nothing like {pattern}"
    return text


class Answer:
    """What curl received."""

    def __init__(self, status, version, header, body):
        self.status, self.version, self.body = status, version, body
        lines = [line.partition(":") for line in header.splitlines()]
        self.headers = [(name.strip().lower(), value.strip()) for name, colon, value in lines if colon]

    def all(self, name):
        return [value for each, value in self.headers if each == name]

    @property
    def location(self):
        return (self.all("location") or [""])[0]

    @property
    def text(self):
        return self.body.decode("utf-8", errors="replace")


class Curl:
    """Somebody at another address, whose requests go through a proxy by HTTP/2."""

    # An address that is neither the proxy's nor the one at which it listens.
    ADDRESS = "127.0.0.9"

    def __init__(self, proxy):
        self.proxy = proxy
        self.directory = tempfile.mkdtemp(prefix="curl-", dir=proxy.directory)

    def _path(self, name):
        return os.path.join(self.directory, name)

    def command(self, url, *options):
        """Returns the command for a path or an address; the cookies are those of the earlier requests."""
        if url.startswith("/"):
            url = self.proxy.address + url
        resolved = [option for port in (self.proxy.http, self.proxy.https)
                    for option in ("--resolve", f"{HOST}:{port}:127.0.0.1")]
        return ["curl", "--silent", "--show-error", "--http2", "--noproxy", "*", "--interface", self.ADDRESS,
                "--cacert", self.proxy.authority.certificate, "--cookie", self._path("cookies"), "--cookie-jar",
                self._path("cookies"), *resolved, *options, url]

    def direct(self, path, upstream):
        """Returns the command for a path at the matcher itself, as the proxy asks it."""
        way = ["--unix-socket", upstream, f"http://{HOST}{path}"] if upstream.startswith("/") else [
            f"http://{upstream}{path}"]
        # The cookies are those of https.
        with open(self._path("cookies"), encoding="utf-8") as file:
            fields = [line.split("\t") for line in file.read().splitlines() if line.count("\t") == 6]
        return ["curl", "--silent", "--show-error", "--noproxy", "*", "--cookie",
                "; ".join(f"{each[5]}={each[6]}" for each in fields), *way]

    def send(self, url, *options, statuses=(0,)):
        """Sends a request; follows no redirection. `statuses` are those of curl that are no failure."""
        done = subprocess.run(
            self.command(url, "--max-time", "60", "--dump-header", self._path("header"), "--output",
                         self._path("body"), "--write-out", "%{http_code} %{http_version}", *options),
            capture_output=True, text=True, timeout=70, check=False)
        assert done.returncode in statuses, f"curl: {done.stderr}\n{self.proxy.logged()[-2000:]}"
        status, version = done.stdout.split()
        with open(self._path("header"), encoding="latin-1") as header, open(self._path("body"), "ab+") as body:
            body.seek(0)
            answer = Answer(int(status), version, header.read(), body.read())
        os.remove(self._path("body"))
        return answer
