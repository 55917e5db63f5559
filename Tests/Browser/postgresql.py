"""Debian's PostgreSQL with a fresh cluster, on a socket in a directory of its own."""

import atexit
import functools
import glob
import os
import shutil
import subprocess
import tempfile

from processes import Unavailable, program, stop, wait_until


def directory():
    """Makes a directory for the server, which doesn't run as root."""
    path = tempfile.mkdtemp(prefix="beacon-postgresql-")
    if os.getuid() == 0:
        shutil.chown(path, "postgres", "postgres")
    return path


def command(name, *arguments):
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    if not found:
        raise Unavailable(f"{name} is not installed: apt-get install postgresql")
    user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
    return [*([program("setpriv"), *user] if os.getuid() == 0 else []), found[-1], *arguments]


@functools.cache
def template():
    """A cluster that nobody has used, to be copied: making one takes a second."""
    path = directory()
    atexit.register(shutil.rmtree, path, True)
    subprocess.run(
        command("initdb", "-D", f"{path}/data", "-U", "postgres", "-A", "trust", "-N", "--no-locale", "-E", "UTF8"),
        check=True, capture_output=True)
    return path


class PostgreSQL:
    """A running server; `location` is what a matcher's configuration calls it."""

    def __init__(self):
        self._directory = directory()
        self.location = f"host={self._directory} dbname=postgres user=postgres"
        subprocess.run(["cp", "-a", f"{template()}/data", f"{self._directory}/data"], check=True)
        log = os.path.join(self._directory, "log")
        with open(log, "w", encoding="utf-8") as file:
            self._process = subprocess.Popen(
                command("postgres", "-D", f"{self._directory}/data", "-k", self._directory, "-c", "listen_addresses="),
                stdout=file, stderr=file, stdin=subprocess.DEVNULL, start_new_session=True, cwd="/")

        def is_ready():
            with open(log, encoding="utf-8", errors="replace") as text:
                return "ready to accept connections" in text.read()
        wait_until(is_ready, "PostgreSQL listens", 30, self._process, log)

    def stop(self):
        stop(self._process)
        shutil.rmtree(self._directory, ignore_errors=True)
