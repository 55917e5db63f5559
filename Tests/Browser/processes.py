"""Programs that a test starts: on free ports of loopback, in a directory of their own, and ended whatever happens."""

import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


class Unavailable(Exception):
    """A program that a test needs is not on this machine."""


def program(name):
    """Returns the path of a program, in sbin too, where Debian has some and a user's PATH doesn't."""
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not path:
        raise Unavailable(f"{name} is not installed: apt-get install {name}")
    return path


def free_ports(count):
    """Returns ports that were free a moment ago. All are held at once, so that they differ."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_until(condition, what, seconds=20, process=None, log=None):
    """Waits for a condition, and fails with what the process wrote if it ends before or takes longer."""
    deadline = time.monotonic() + seconds
    while True:
        if condition():
            return
        ended = process is not None and process.poll() is not None
        if ended or time.monotonic() > deadline:
            text = ""
            if log and os.path.exists(log):
                with open(log, encoding="utf-8", errors="replace") as file:
                    text = "\n" + file.read()[-4000:]
            how = f"the program ended with status {process.returncode}" if ended else f"not within {seconds} s"
            raise AssertionError(f"{what}: {how}{text}")
        time.sleep(0.05)


def listens(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def stop(process, seconds=10):
    """Ends a process as its supervisor would, and returns its status."""
    if process is None:
        return None
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return process.returncode


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


class Response:
    """What a server answered, whatever the status."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode("utf-8", errors="replace")

    @property
    def location(self):
        return self.headers.get("Location", "")

    def cookies(self):
        """The cookies that it sets: their name, value, and the attributes as they were written."""
        found = {}
        for line in self.headers.get_all("Set-Cookie") or []:
            first, _, attributes = line.partition(";")
            name, _, value = first.partition("=")
            found[name.strip()] = (value.strip(), [each.strip() for each in attributes.split(";") if each.strip()])
        return found


_OPENER = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))


def request(method, url, body=None, headers=None, timeout=30):
    """Sends a request, and follows no redirection."""
    made = urllib.request.Request(url, data=body, headers=headers or {}, method=method)
    try:
        with _OPENER.open(made, timeout=timeout) as answer:
            return Response(answer.status, answer.headers, answer.read())
    except urllib.error.HTTPError as error:
        with error:
            return Response(error.code, error.headers, error.read())
