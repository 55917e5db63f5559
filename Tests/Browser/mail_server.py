"""A mail server of the tests (RFC 5321), with TLS from the first byte or by STARTTLS, and certificates made by openssl.

It keeps what it takes, and answers as it is told. Its address is 127.0.0.2: of this machine, and not one of those that
the matcher lets do without TLS.
"""

import base64
import os
import queue
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading

from processes import program

ADDRESS = "127.0.0.2"


class Certificates:
    """An authority, and certificates of it: the right one, one for another host, and one that has ended."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="beacon-certificates-")
        self.authority = self.path("authority.pem")
        self._openssl("req", "-x509", "-days", "2", "-subj", "/CN=Authority of the tests", "-keyout",
                      self.path("authority.key"), "-out", self.authority)
        self._make("right", f"IP:{ADDRESS}")
        self._make("other-host", "DNS:mail.campus.example")
        self._make("ended", f"IP:{ADDRESS}", "-startdate", "20200101000000Z", "-enddate", "20200201000000Z")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.directory, name)

    def _openssl(self, *arguments):
        key = ["-newkey", "rsa:2048", "-nodes"] if arguments[0] == "req" else []
        subprocess.run([program("openssl"), *arguments, *key], check=True, capture_output=True)

    def _make(self, name, host, *times):
        """Makes a certificate; `times` are its first and its last second."""
        request, extensions = self.path(f"{name}.csr"), self.path(f"{name}.ext")
        with open(extensions, "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={host}\nextendedKeyUsage=serverAuth\n")
        self._openssl("req", "-subj", "/CN=server", "-keyout", self.path(f"{name}.key"), "-out", request)
        with open(self.path("index.txt"), "w", encoding="utf-8"):
            pass
        with open(self.path("ca.conf"), "w", encoding="utf-8") as file:
            file.write(f"[ca]\ndefault_ca=d\n[d]\ndatabase={self.path('index.txt')}\nrand_serial=yes\n"
                       "unique_subject=no\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n")
        self._openssl(
            "ca", "-batch", "-config", self.path("ca.conf"), "-cert", self.authority, "-keyfile",
            self.path("authority.key"), "-in", request, "-out", self.path(f"{name}.pem"), "-extfile", extensions,
            "-outdir", self.directory, "-notext", *(times or ["-days", "1"]))

    def context(self, name):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path(f"{name}.pem"), self.path(f"{name}.key"))
        return context


class MailServer:
    """A running server. `answers` are the next ones by verb; `END` stands for the end of a message."""

    def __init__(
            self, certificates, certificate="right", is_wrapped=False, has_start_tls=True, answers=None, login=None):
        self.context = certificates.context(certificate)
        self.is_wrapped, self.has_start_tls, self.login = is_wrapped, has_start_tls, login
        self.answers = {verb: list(given) for verb, given in (answers or {}).items()}
        # Messages that were taken, and commands, each with whether it came by TLS.
        self.taken, self.commands = queue.Queue(), []
        self._listener = socket.create_server((ADDRESS, 0))
        scheme = "smtps" if is_wrapped else "smtp"
        self.url = f"{scheme}://{ADDRESS}:{self._listener.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Ends a thread that waits in accept, which close doesn't.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        client.settimeout(30)
        try:
            if self.is_wrapped:
                client = self.context.wrap_socket(client, server_side=True)
            self._talk(client, self.is_wrapped)
        except (OSError, ValueError):
            # What a client that distrusts the certificate does.
            pass
        finally:
            client.close()

    def _answer(self, verb, usual):
        given = self.answers.get(verb)
        return given.pop(0) if given else usual

    def _talk(self, client, is_safe, greets=True):
        reader = client.makefile("rb")

        def say(text):
            client.sendall(text.encode() + b"\r\n")
        if greets:
            say(self._answer("GREETING", "220 mail.campus.example"))
        recipient, is_signed_in = "", False
        while line := reader.readline().decode().strip():
            verb = line.split(" ")[0].split(":")[0].upper()
            self.commands.append((line, is_safe))
            if verb == "EHLO":
                offers = ["mail.campus.example"]
                offers += ["STARTTLS"] if self.has_start_tls and not is_safe else []
                offers += ["AUTH PLAIN"] if self.login else []
                say("\r\n".join(f"250{'-' if each != offers[-1] else ' '}{each}" for each in offers))
            elif verb == "STARTTLS":
                say("220 go on")
                self._talk(self.context.wrap_socket(client, server_side=True), True, greets=False)
                return
            elif verb == "AUTH":
                say("334 ")
                is_signed_in = base64.b64decode(reader.readline()).decode() == "\0{}\0{}".format(*self.login)
                say("235 welcome" if is_signed_in else "535 5.7.8 wrong password")
            elif verb == "RCPT":
                recipient = line.split("<")[1].split(">")[0]
                say(self._answer("RCPT", "250 ok"))
            elif verb == "DATA":
                say("354 go on")
                message = b""
                while (part := reader.readline()) not in (b".\r\n", b""):
                    message += part
                told = self._answer("END", "250 taken")
                if told.startswith("250"):
                    self.taken.put((recipient, message.decode(), is_safe, is_signed_in))
                say(told)
            elif verb == "QUIT":
                say("221 bye")
                return
            else:
                say(self._answer(verb, "250 ok"))
