"""Does what the host asks for, one command at a time: lines of JSON on a port that only the host has.

At its start it says that it is there. A request has `command`, `timeout`, and perhaps `input`; the answer
has `status` (None: it took too long) and `output`."""

import json
import os
import signal
import subprocess

PORT = "/dev/virtio-ports/driver"
LONGEST = 2_000_000


def carry_out(request):
    # A session of its own, which can be ended as a whole.
    with subprocess.Popen(
            request["command"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True, env={**os.environ, **request.get("environment", {})}) as process:
        try:
            output, _ = process.communicate(request.get("input", "").encode(), timeout=request["timeout"])
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            status = None
    return {"status": status, "output": output[-LONGEST:].decode(errors="replace")}


def main():
    os.environ.update({
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root",
        "DEBIAN_FRONTEND": "noninteractive"})
    # It can be opened once only, so for both directions.
    port = os.open(PORT, os.O_RDWR | os.O_CLOEXEC)

    def say(value):
        data = memoryview(json.dumps(value).encode() + b"\n")
        while data:
            data = data[os.write(port, data):]

    say({"start": os.getpid()})
    rest = b""
    while chunk := os.read(port, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            try:
                request = json.loads(line)
            except ValueError:
                continue
            try:
                say({"number": request["number"], **carry_out(request)})
            except OSError as error:
                say({"number": request["number"], "status": 127, "output": str(error)})


main()
