#!/usr/bin/env python3
"""A real OpenID provider: glewlwyd of Debian, on loopback, in a directory of its own, with the tests' accounts.

    glewlwyd.py --check     signs in without a browser, and shows that what is wrong is refused
    glewlwyd.py --serve URI runs until it is interrupted, for a client that is called back at URI

Debian's package is broken in two places, which is mended in the copy: the login page's config.json is a link to a
directory, and its scripts are links, which the server doesn't follow.
"""

import base64
import gzip
import hashlib
import json
import os
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from accounts import ACCOUNTS
from processes import Unavailable, free_ports, listens, program, request, stop, wait_until

WEB_APPLICATION = "/usr/share/glewlwyd/webapp"
MODULES = "/usr/lib/glewlwyd"
DATABASE = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
# As its init script creates it.
ADMINISTRATOR = {"username": "admin", "password": "password"}
SCOPES = ("openid", "profile")
MIME_TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json",
    ".png": "image/png", ".svg": "image/svg+xml", ".ttf": "font/ttf", ".woff": "font/woff", ".woff2": "font/woff2",
    ".ico": "image/x-icon",
}


def pkce():
    """Returns a verifier and its challenge (S256)."""
    verifier = secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    return verifier, base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


class Session:
    """Somebody who is signed in at the provider, by its API: what its login page does in a browser."""

    def __init__(self, base, credentials):
        self.base = base
        answer = request(
            "POST", f"{base}/api/auth/", json.dumps(credentials).encode(), {"Content-Type": "application/json"})
        if answer.status != 200:
            raise AssertionError(f"glewlwyd refuses {credentials['username']}: {answer.status} {answer.text}")
        self.cookie = "; ".join(f"{name}={value}" for name, (value, _) in answer.cookies().items())

    def send(self, method, path, document=None):
        body = None if document is None else json.dumps(document).encode()
        headers = {"Cookie": self.cookie} | ({"Content-Type": "application/json"} if body else {})
        return request(method, self.base + path, body, headers)

    def change(self, method, path, document):
        answer = self.send(method, path, document)
        if answer.status != 200:
            raise AssertionError(f"glewlwyd answers {answer.status} to {method} {path}: {answer.text}")


class Glewlwyd:
    """A running provider. Without `granted`, its page asks each user once whether the client may see their data."""

    def __init__(self, redirect_uris, post_logout_redirect_uris=(), granted=True):
        self.redirect_uris = list(redirect_uris)
        self.post_logout_redirect_uris = list(post_logout_redirect_uris)
        self.granted = granted
        self.client_id = "beacon-matcher"
        self.client_secret = secrets.token_urlsafe(24)
        self._passwords = {login: secrets.token_urlsafe(12) for login in ACCOUNTS}
        self._directory = self._process = None

    def password(self, login):
        return self._passwords[login]

    def __enter__(self):
        binary = program("glewlwyd")
        if not os.path.isdir(WEB_APPLICATION):
            raise Unavailable("glewlwyd-common is not installed: apt-get install glewlwyd-common")
        self._directory = tempfile.mkdtemp(prefix="glewlwyd-")
        try:
            self.port = free_ports(1)[0]
            # The page is at 127.0.0.1: cookies of one host are sent to all its ports, and this is to be another site.
            self.base = f"http://localhost:{self.port}"
            self.issuer = f"{self.base}/api/oidc"
            self._prepare()
            self.log = os.path.join(self._directory, "log")
            with open(self.log, "w", encoding="utf-8") as log:
                self._process = subprocess.Popen(
                    [binary, "--config-file", os.path.join(self._directory, "glewlwyd.conf")],
                    stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
            wait_until(lambda: listens(self.port), "glewlwyd listens", 30, self._process, self.log)
            self._configure()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        stop(self._process)
        self._process = None
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)

    def _prepare(self):
        """Writes what it needs before it starts: web application, database, configuration."""
        pages = os.path.join(self._directory, "webapp")
        # Links are followed; config.json is one to a directory.
        shutil.copytree(WEB_APPLICATION, pages)
        settings = os.path.join(pages, "config.json")
        if os.path.isdir(settings):
            with open(os.path.join(settings, "config.json"), encoding="utf-8") as file:
                text = file.read()
            shutil.rmtree(settings)
        else:
            with open(settings, encoding="utf-8") as file:
                text = file.read()
        document = json.loads(text)
        document["GlewlwydUrl"] = f"{self.base}/"
        with open(settings, "w", encoding="utf-8") as file:
            json.dump(document, file)

        database = os.path.join(self._directory, "glewlwyd.db")
        connection = sqlite3.connect(database)
        with gzip.open(DATABASE, "rt", encoding="utf-8") as script:
            connection.executescript(script.read())
        # What users have beside name and e-mail; `multiple` makes the claim an array.
        (text,) = connection.execute("SELECT gumi_parameters FROM g_user_module_instance").fetchone()
        parameters = json.loads(text)
        for name, is_multiple in (("groups", True), ("student_number", False)):
            parameters["data-format"][name] = {
                "multiple": is_multiple, "read": True, "write": True, "profile-read": False, "profile-write": False}
        connection.execute("UPDATE g_user_module_instance SET gumi_parameters = ?", (json.dumps(parameters),))
        (text,) = connection.execute("SELECT gcmi_parameters FROM g_client_module_instance").fetchone()
        parameters = json.loads(text)
        parameters["data-format"]["post_logout_redirect_uris"] = {"multiple": True, "read": True, "write": True}
        connection.execute("UPDATE g_client_module_instance SET gcmi_parameters = ?", (json.dumps(parameters),))
        connection.commit()
        connection.close()

        types = ",\n".join(f'  {{ extension = "{end}"; mime_type = "{kind}"; }}' for end, kind in MIME_TYPES.items())
        with open(os.path.join(self._directory, "glewlwyd.conf"), "w", encoding="utf-8") as file:
            file.write(f"""port = {self.port}
bind_address = "127.0.0.1"
external_url = "{self.base}"
login_url = "login.html"
api_prefix = "api"
log_mode = "console"
log_level = "INFO"
cookie_secure = false
cookie_same_site = "empty"
session_expiration = 3600
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
allow_multiple_user_per_session = false
login_api_enabled = true
add_x_frame_option_header_deny = true
hash_algorithm = "SHA512"
user_module_path = "{MODULES}/user"
client_module_path = "{MODULES}/client"
user_auth_scheme_module_path = "{MODULES}/scheme"
plugin_module_path = "{MODULES}/plugin"
static_files_path = "{pages}"
static_files_mime_types = (
{types}
)
database = {{ type = "sqlite3"; path = "{database}"; }};
""")

    def _configure(self):
        """Adds scope, plugin, client and users by its API, as an administrator would."""
        administrator = Session(self.base, ADMINISTRATOR)
        key = ec.generate_private_key(ec.SECP256R1())
        administrator.change(
            "POST", "/api/scope/", {"name": "profile", "display_name": "Profile", "password_required": False})
        claim = {"type": "string", "mandatory": True, "on-demand": False, "scope": []}
        administrator.change("POST", "/api/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OpenID Connect",
            "parameters": {
                "iss": self.issuer, "jwt-type": "ecdsa", "jwt-key-size": "256",
                "key": key.private_bytes(
                    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption()).decode(),
                "cert": key.public_key().public_bytes(
                    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode(),
                "default-kid": "first", "jwks-show": True, "jwks-x5c": [], "subject-type": "public",
                "access-token-duration": 600, "refresh-token-duration": 3600, "code-duration": 60,
                "refresh-token-rolling": True, "allow-non-oidc": False, "auth-type-code-enabled": True,
                "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False,
                "auth-type-id-token-enabled": True,
                "auth-type-none-enabled": False, "auth-type-password-enabled": False, "auth-type-client-enabled": False,
                "auth-type-device-enabled": False, "auth-type-refresh-enabled": False,
                "pkce-allowed": True, "pkce-required": True, "pkce-method-plain-allowed": False,
                "request-parameter-allow": False, "session-management-allowed": True,
                "session-cookie-name": "GLEWLWYD2_OIDC_SID", "session-cookie-expiration": 3600,
                "allowed-scope": list(SCOPES), "scope": [], "additional-parameters": [],
                "name-claim": "mandatory", "name-claim-scope": [], "email-claim": "no", "scope-claim": "no",
                "address-claim": {"type": "no"},
                "claims": [
                    claim | {"name": "groups", "user-property": "groups"},
                    claim | {"name": "student_number", "user-property": "student_number"},
                ],
            }})
        administrator.change("POST", "/api/client/", {
            "client_id": self.client_id, "name": "Beacon Matcher", "enabled": True, "confidential": True,
            "password": self.client_secret, "client_secret": self.client_secret,
            "redirect_uri": self.redirect_uris, "post_logout_redirect_uris": self.post_logout_redirect_uris,
            "authorization_type": ["code"], "scope": [],
            "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"]})
        for account in ACCOUNTS.values():
            number = {"student_number": account.number} if account.number else {}
            administrator.change("POST", "/api/user/", {
                "username": account.login, "name": account.name, "password": self.password(account.login),
                "enabled": True, "scope": list(SCOPES), "groups": list(account.groups)} | number)
            if self.granted:
                self.grant(self.session(account.login))

    def session(self, login):
        return Session(self.base, {"username": login, "password": self.password(login)})

    def grant(self, session):
        session.change("PUT", f"/api/auth/grant/{self.client_id}/", {"scope": " ".join(SCOPES)})

    # MARK: In a browser

    def sign_in(self, page, login):
        """Signs in on its page, to which the browser has been sent, and grants what it asks for."""
        page.wait_for_url(f"{self.base}/**")
        page.get_by_label("Login").fill(login)
        page.get_by_label("Password").fill(self.password(login))
        page.get_by_role("button", name="OK").click()
        if not self.granted:
            page.locator("#grant-profile").check()
            page.get_by_role("button", name="Grant access").click()
        page.get_by_role("button", name="Continue").click()
        page.wait_for_url(lambda url: not url.startswith(self.base), timeout=20_000)

    # MARK: Without a browser

    def authorize(self, session, redirect_uri, **parameters):
        """Sends an authorization request; returns the answer."""
        query = {"response_type": "code", "client_id": self.client_id, "redirect_uri": redirect_uri,
                 "scope": " ".join(SCOPES)} | parameters
        return session.send("GET", "/api/oidc/auth?" + urllib.parse.urlencode(query) + "&g_continue")

    def exchange(self, code, redirect_uri, verifier, secret=None):
        """Exchanges a code for tokens; returns the answer."""
        credentials = base64.b64encode(f"{self.client_id}:{secret or self.client_secret}".encode()).decode()
        body = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        if verifier is not None:
            body["code_verifier"] = verifier
        return request(
            "POST", f"{self.issuer}/token", urllib.parse.urlencode(body).encode(),
            {"Authorization": f"Basic {credentials}", "Content-Type": "application/x-www-form-urlencoded"})


def check():
    """The whole flow for each account without a browser, and what has to be refused."""
    import jwt

    redirect_uri = "http://127.0.0.1:9/sign-in/callback"
    failures = []

    def expect(is_right, what):
        print(("ok      " if is_right else "WRONG   ") + what)
        if not is_right:
            failures.append(what)

    def code_of(answer):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.location).query)).get("code")

    with Glewlwyd(redirect_uris=[redirect_uri]) as provider:
        metadata = json.loads(request("GET", f"{provider.issuer}/.well-known/openid-configuration").body)
        expect(metadata["issuer"] == provider.issuer, f"the metadata names the issuer {metadata['issuer']}")
        expect("S256" in metadata.get("code_challenge_methods_supported", []), "the metadata has S256")
        print("        end_session_endpoint:", metadata.get("end_session_endpoint"))
        print("        token_endpoint_auth_methods_supported:", metadata.get("token_endpoint_auth_methods_supported"))
        print("        id_token_signing_alg_values_supported:", metadata.get("id_token_signing_alg_values_supported"))
        keys = jwt.PyJWKSet.from_dict(json.loads(request("GET", metadata["jwks_uri"]).body))
        for account in ACCOUNTS.values():
            session = provider.session(account.login)
            verifier, challenge = pkce()
            nonce = secrets.token_urlsafe(16)
            answer = provider.authorize(
                session, redirect_uri, state="s", nonce=nonce, code_challenge=challenge, code_challenge_method="S256")
            is_back = answer.status == 302 and answer.location.startswith(redirect_uri)
            expect(is_back, f"{account.login} is sent back ({answer.status})")
            answer = provider.exchange(code_of(answer), redirect_uri, verifier)
            expect(answer.status == 200, f"the code of {account.login} is exchanged ({answer.status})")
            token = json.loads(answer.body)["id_token"]
            header = jwt.get_unverified_header(token)
            key = next(each for each in keys.keys if each.key_id == header.get("kid"))
            claims = jwt.decode(
                token, key.key, algorithms=["ES256"], audience=provider.client_id, issuer=provider.issuer)
            expect(claims["nonce"] == nonce, f"the token of {account.login} has the nonce")
            said = {name: claims[name] for name in ("name", "groups", "student_number") if name in claims}
            expect(said == account.claims, f"the token of {account.login} says {said}")
        print("        header:", header, "claims:", sorted(claims))

        session = provider.session("olga")
        subjects = set()
        for _ in range(2):
            verifier, challenge = pkce()
            answer = provider.authorize(
                session, redirect_uri, state="s", nonce="n", code_challenge=challenge, code_challenge_method="S256")
            answer = provider.exchange(code_of(answer), redirect_uri, verifier)
            token = json.loads(answer.body)["id_token"]
            subjects.add(jwt.decode(token, options={"verify_signature": False})["sub"])
        expect(len(subjects) == 1, f"the subject of olga stays the same: {subjects}")

        def fresh():
            verifier, challenge = pkce()
            answer = provider.authorize(
                session, redirect_uri, state="s", nonce="n", code_challenge=challenge, code_challenge_method="S256")
            return code_of(answer), verifier

        code, _ = fresh()
        answer = provider.exchange(code, redirect_uri, pkce()[0])
        expect(answer.status in (400, 401, 403), f"another verifier is refused ({answer.status} {answer.text.strip()})")
        code, verifier = fresh()
        answer = provider.exchange(code, redirect_uri, verifier, secret="guessed")
        expect(answer.status in (400, 401, 403), f"another secret is refused ({answer.status})")
        code, verifier = fresh()
        first, second = (provider.exchange(code, redirect_uri, verifier) for _ in range(2))
        is_once = first.status == 200 and second.status in (400, 401, 403)
        expect(is_once, f"a code is used once ({first.status}, {second.status})")
        answer = provider.authorize(session, redirect_uri, state="s", nonce="n")
        expect("error=" in answer.location, f"a request without PKCE is refused ({answer.status} {answer.location})")
        answer = provider.authorize(
            session, "http://127.0.0.1:9/elsewhere", state="s", nonce="n", code_challenge=pkce()[1],
            code_challenge_method="S256")
        expect("code=" not in answer.location, f"another redirect_uri is refused ({answer.status} {answer.location})")
    print(f"{len(failures)} wrong")
    return 1 if failures else 0


def serve(redirect_uri):
    with Glewlwyd(redirect_uris=[redirect_uri]) as provider:
        print(f"issuer {provider.issuer}\nclient {provider.client_id}\nsecret {provider.client_secret}")
        for login in ACCOUNTS:
            print(f"user {login} {provider.password(login)}")
        sys.stdout.flush()
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    return 0


if __name__ == "__main__":
    try:
        if sys.argv[1:] == ["--check"]:
            sys.exit(check())
        if len(sys.argv) == 3 and sys.argv[1] == "--serve":
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
            sys.exit(serve(sys.argv[2]))
    except Unavailable as error:
        print(f"skipped: {error}")
        sys.exit(77)
    sys.exit(__doc__)
