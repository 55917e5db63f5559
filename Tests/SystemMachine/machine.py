"""The machine: QEMU without KVM, with two processors, a disk of its own, and USB ports into which the host plugs modules."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time

# A second time, because a start now and then hangs on a busy host.
BOOT_SECONDS = 300


class Failure(Exception):
    """Something in the machine is not as it should be, and what follows makes no sense."""


class Lines:
    """Lines of JSON over a socket of QEMU's."""

    def __init__(self, path, process):
        deadline = time.monotonic() + 30
        self.socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.socket.connect(path)
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise Failure(f"QEMU does not start: {path}") from None
                time.sleep(0.1)
        self.rest = b""

    def send(self, value):
        self.socket.sendall(json.dumps(value).encode() + b"\n")

    def receive(self, seconds):
        """The next line; None when the time is over."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                chunk = self.socket.recv(1 << 16)
            except TimeoutError:
                return None
            if not chunk:
                raise Failure("the machine has ended")
            self.rest += chunk
        line, self.rest = self.rest.split(b"\n", 1)
        try:
            return json.loads(line)
        except ValueError:
            # What was under way when the machine was reset.
            return {}


class Machine:
    """A machine with the image's disk. `share` is the directory that it has as /mnt/host."""

    def __init__(self, image, place, share, modules):
        """modules: the directory of the emulator, with usb-NAME for each port and the pipes line.in and line.out."""
        self.image, self.place, self.share, self.modules = image, place, share, modules
        self.disk = os.path.join(place, "disk.img")
        self.console = os.path.join(place, "console")
        self.process = self.driver = self.monitor = None
        self.plugged, self.starts = [], 0
        self.number = 0

    def boot(self):
        """Starts the machine with a new disk; returns how many seconds it took until it answered."""
        for attempt in (1, 2):
            subprocess.run(["cp", "--sparse=always", self.image.disk, self.disk], check=True)
            try:
                return self.start()
            except Failure as failure:
                self.end()
                if attempt == 2:
                    raise
                print(f"  {failure}: once more", flush=True)
        return None

    def start(self):
        """Starts QEMU and waits until the machine answers; returns how many seconds that took."""
        for name in ("driver", "monitor"):
            with contextlib.suppress(FileNotFoundError):
                os.remove(f"{self.place}/{name}")
        options = [
            "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "2048", "-nodefaults",
            "-no-user-config", "-display", "none",
            "-serial", f"file:{self.console}.{self.starts}", "-serial", f"pipe:{self.modules}/line",
            "-drive", f"file={self.disk},format=raw,if=none,id=disk,cache=unsafe,discard=unmap",
            "-device", "virtio-blk-pci,drive=disk",
            "-fsdev", f"local,id=host,path={self.share},security_model=none",
            "-device", "virtio-9p-pci,fsdev=host,mount_tag=host",
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=driver,path={self.place}/driver,server=on,wait=off",
            "-device", "virtserialport,chardev=driver,name=driver",
            "-chardev", f"socket,id=monitor,path={self.place}/monitor,server=on,wait=off",
            "-mon", "chardev=monitor,mode=control",
            "-device", "qemu-xhci",
            # Its end is the end of QEMU: one that starts the machine anew itself takes several times as long for everything.
            "-no-reboot",
            "-kernel", self.image.kernel, "-initrd", self.image.initrd,
            # On a busy host the emulated timers can be too late for the kernel: no_timer_check, or it would give up at its
            # start; clocksource=hpet, or its clock could run at several times its speed.
            "-append", "console=ttyS0 quiet loglevel=4 panic=-1 cryptomgr.notests mitigations=off no_timer_check "
                       "clocksource=hpet systemd.show_status=1"]
        for name in sorted(os.listdir(self.modules)):
            if name.startswith("usb-"):
                options += ["-chardev", f"serial,id={name[4:]},path={self.modules}/{name}"]
        for name in self.plugged:
            options += ["-device", f"usb-serial,chardev={name},serial={name},id={name}"]
        self.starts += 1
        began = time.monotonic()
        with open(os.path.join(self.place, "qemu.log"), "ab") as log:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                ["qemu-system-x86_64", *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.driver = Lines(f"{self.place}/driver", self.process)
        self.monitor = Lines(f"{self.place}/monitor", self.process)
        self.monitor.receive(10)
        self.command("qmp_capabilities")
        self.await_start()
        return time.monotonic() - began

    def await_start(self):
        """Waits until the machine's driver says that it is there."""
        deadline = time.monotonic() + BOOT_SECONDS
        while time.monotonic() < deadline:
            said = self.driver.receive(deadline - time.monotonic())
            if said and "start" in said:
                return
        raise Failure(f"the machine did not start within {BOOT_SECONDS} s")

    def reboot(self):
        """As an administrator does it; returns the seconds from the machine's end until it answered again."""
        self.call("systemctl", "reboot")
        self.await_end()
        self.end()
        return self.start()

    def command(self, name, **arguments):
        """A command of QEMU's monitor; it must succeed."""
        self.monitor.send({"execute": name, "arguments": arguments})
        while True:
            answer = self.monitor.receive(30)
            if answer is None or "error" in answer:
                raise Failure(f"QEMU: {name}: {answer}")
            # Events come between.
            if "return" in answer:
                return answer["return"]

    def call(self, *command, timeout=120, text=""):
        """The status and output of a command in the machine."""
        self.number += 1
        self.driver.send({"number": self.number, "command": command, "timeout": timeout, "input": text})
        deadline = time.monotonic() + timeout + 60
        while time.monotonic() < deadline:
            answer = self.driver.receive(deadline - time.monotonic())
            if answer and answer.get("number") == self.number:
                with open(os.path.join(self.place, "commands.log"), "a", encoding="utf-8") as log:
                    shown = command[-1] if command[0] == "bash" else " ".join(command)
                    log.write(f"$ {shown}\n{answer['output']}[{answer['status']}]\n")
                return answer["status"], answer["output"]
        raise Failure(f"the machine does not answer: {' '.join(command)}")

    def must(self, *command, timeout=120, text=""):
        """The output of a command in the machine, which must succeed."""
        status, output = self.call(*command, timeout=timeout, text=text)
        if status != 0:
            raise Failure(f"`{' '.join(command)}` ended with status {status}:\n{output[-3000:]}")
        return output

    def shell(self, script, timeout=120, text=""):
        """The output of a script of bash in the machine, which must succeed."""
        return self.must("bash", "-euo", "pipefail", "-c", script, timeout=timeout, text=text)

    def property(self, unit, name):
        return self.must("systemctl", "show", unit, "-P", name).strip()

    def until(self, seconds, question, *arguments, pause=1.0):
        """Asks again and again; the first answer that counts as true, or the last."""
        deadline = time.monotonic() + seconds
        while True:
            answer = question(*arguments)
            if answer or time.monotonic() > deadline:
                return answer
            time.sleep(pause)

    def plug(self, name):
        self.command("device_add", driver="usb-serial", chardev=name, serial=name, id=name)
        self.plugged.append(name)

    def unplug(self, name):
        self.command("device_del", id=name)
        self.plugged.remove(name)

    def await_end(self):
        try:
            self.process.wait(300)
        except subprocess.TimeoutExpired:
            raise Failure("the machine does not shut down") from None

    def power_off(self):
        """Shuts the machine down in an orderly way."""
        self.call("systemctl", "poweroff")
        self.await_end()

    def leave(self):
        """Takes the journal along, if the machine still answers."""
        if self.driver and self.process.poll() is None:
            output = self.call("journalctl", "-b", "--no-pager", "-o", "short-monotonic", timeout=60)[1]
            with open(os.path.join(self.place, "journal.log"), "w", encoding="utf-8") as log:
                log.write(output)

    def end(self):
        """Ends QEMU, however far the machine is."""
        for lines in (self.driver, self.monitor):
            if lines:
                lines.socket.close()
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.driver = self.monitor = None


def share_of(place, programs, packages, files):
    """Makes the directory that the machine sees: programs of the tests with their libraries, packages, and files."""
    share = os.path.join(place, "share")
    os.makedirs(share)
    here = os.path.dirname(os.path.abspath(__file__))
    shutil.copytree(os.path.join(here, "guest"), os.path.join(share, "guest"))
    make = os.path.join(os.path.dirname(here), "VirtualRadio", "make-payload.sh")
    subprocess.run([make, os.path.join(share, "bin"), *programs], check=True, stdout=subprocess.DEVNULL)
    for package in packages:
        shutil.copy(package, share)
    for name, text in files.items():
        with open(os.path.join(share, name), "w", encoding="utf-8") as file:
            file.write(text)
    return share
