#!/usr/bin/env python3
"""An OpenID provider that is good until it is told to be bad, on loopback, for what a client has to refuse.

    hostile_provider.py --check     shows with PyJWT that each mode does what its name says
    hostile_provider.py --serve URI runs until it is interrupted, for a client that is called back at URI

It has no login page: /authorize sends the browser back at once, as the account that `POST /control` named:
`{"mode": "expired", "user": "olga", "algorithm": "RS256"}`. What a client must do, it checks: PKCE with S256, client
authentication, the redirect_uri, that a code is used once and within a minute.
"""

import base64
import functools
import hashlib
import hmac
import http.server
import json
import secrets
import signal
import sys
import threading
import time
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from accounts import ACCOUNTS
from processes import request

# What a mode does, for people who read a failed test.
MODES = {
    "good": "everything is right",
    "skewed": "the token ended 30 s ago, which a clock may be wrong by",
    "alg-none": "the token has no signature",
    "hs256-with-public-key": "the token is signed by HMAC with the public key as the secret",
    "wrong-signature": "the token is signed by another key under the name of the right one",
    "other-kid": "the token is signed by a key that isn't in the key set",
    "rotated-kid": "the token is signed by a new key, which is in the key set from its next request on",
    "replaced-key": "the token is signed by a new key under the name of the old one, and the key set has it from its "
                    "next request on",
    "replaced-key-without-kid": "the same, and neither the token nor the key set names a key",
    "wrong-aud": "the token is for another client",
    "several-aud-without-azp": "the token is for two clients, and names none of them in azp",
    "wrong-azp": "the token is for two clients, and was issued to the other",
    "expired": "the token ended an hour ago",
    "future-iat": "the token was issued in an hour",
    "replayed-nonce": "the token has the nonce of another sign-in",
    "missing-nonce": "the token has no nonce",
    "missing-sub": "the token names nobody",
    "other-issuer": "the token is of another issuer",
    "other-issuer-in-metadata": "the metadata is of another issuer",
    "slow-metadata": "the metadata comes after a second",
    "huge-jwks": "the key set has 20 MB",
    "huge-token": "the answer of the token endpoint has 20 MB",
    "slow-token": "the token endpoint answers after 30 s",
    "token-endpoint-500": "the token endpoint fails",
    "redirecting-token-endpoint": "the token endpoint sends the code and the secret to another host",
    "bad-json": "the answer of the token endpoint is cut off",
    "error-access-denied": "the person said no",
    "wrong-state": "the callback has another state",
    "missing-state": "the callback has no state",
    "iss-parameter-wrong": "the callback names another issuer (RFC 9207)",
    "iss-parameter-missing": "the callback names no issuer, although the metadata says it does (RFC 9207)",
}
# Modes with which a client signs in.
REPLACED = {"replaced-key", "replaced-key-without-kid"}
ACCEPTED = {"good", "skewed", "rotated-kid", "slow-metadata"} | REPLACED
ALGORITHMS = ("ES256", "RS256", "EdDSA")
HUGE = 20_000_000
SLOW_SECONDS = 30
OTHER_ISSUER = "http://127.0.0.1:1/other"


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value):
    return base64url(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Key:
    """A key that signs tokens, with the name that the key set has it under."""

    def __init__(self, algorithm, kid):
        self.algorithm, self.kid = algorithm, kid
        self.private = {
            "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
            "RS256": lambda: rsa.generate_private_key(65537, 2048),
            "EdDSA": ed25519.Ed25519PrivateKey.generate,
        }[algorithm]()

    def jwk(self):
        public = self.private.public_key()
        common = {"kid": self.kid, "alg": self.algorithm, "use": "sig"}
        if self.algorithm == "ES256":
            numbers = public.public_numbers()
            x, y = (base64url(each.to_bytes(32, "big")) for each in (numbers.x, numbers.y))
            return common | {"kty": "EC", "crv": "P-256", "x": x, "y": y}
        if self.algorithm == "RS256":
            numbers = public.public_numbers()
            return common | {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}
        raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return common | {"kty": "OKP", "crv": "Ed25519", "x": base64url(raw)}

    def pem(self):
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    def sign(self, message):
        if self.algorithm == "ES256":
            r, s = decode_dss_signature(self.private.sign(message, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        if self.algorithm == "RS256":
            return self.private.sign(message, padding.PKCS1v15(), hashes.SHA256())
        return self.private.sign(message)


@functools.cache
def key(algorithm, generation):
    """Returns a key, the same in all providers of a process: making one for RSA takes a while."""
    return Key(algorithm, f"{generation}-{algorithm}")


class Handler(http.server.BaseHTTPRequestHandler):
    """Reads a request, and writes what the provider answers."""

    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *_):
        pass

    def _serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(min(length, 1_000_000)).decode("utf-8", errors="replace")
        url = urllib.parse.urlsplit(self.path)
        status, headers, answer = self.server.answer(self.command, url, body, self.headers)
        if not isinstance(answer, bytes):
            answer = json.dumps(answer).encode()
            headers = {"Content-Type": "application/json"} | headers
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
        except (BrokenPipeError, ConnectionResetError):
            # The client has had enough, as it should of 20 MB.
            self.close_connection = True

    do_GET = do_POST = _serve


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, host, answer):
        self.answer = answer
        super().__init__((host, 0), Handler)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class HostileProvider:
    """A running provider, which is good until `control` says otherwise."""

    def __init__(self, redirect_uris):
        self.redirect_uris = list(redirect_uris)
        self.client_id, self.client_secret = "beacon-matcher", secrets.token_urlsafe(24)
        self._keys, self._rotated, self._unknown = (
            {algorithm: key(algorithm, generation) for algorithm in ALGORITHMS}
            for generation in ("first", "second", "unknown"))
        self._lock, self._ending = threading.Lock(), threading.Event()
        self._codes, self._nonces = {}, []
        # Of every request: the method, the path.
        self.requests = []
        # What another host was sent that should have been sent nothing.
        self.stolen = []
        self.mode, self.user, self.algorithm = "good", "olga", "ES256"

    def __enter__(self):
        self._server = Server("127.0.0.1", self._answer)
        # All of 127.0.0.0/8 is loopback: another host, as far as a client can tell.
        self._thief = Server("127.0.0.2", self._steal)
        for server in (self._server, self._thief):
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        # The page is at 127.0.0.1: cookies of one host are sent to all its ports, and this is to be another site.
        self.issuer = f"http://localhost:{self._server.server_port}"
        return self

    def __exit__(self, *_):
        self._ending.set()
        for server in (self._server, self._thief):
            server.shutdown()
            server.server_close()

    def password(self, _):
        return None

    def control(self, mode=None, user=None, algorithm=None):
        """Changes what it does from now on. What has been answered is forgotten, except for codes and nonces."""
        if mode not in (None, *MODES) or user not in (None, *ACCOUNTS) or algorithm not in (None, *ALGORITHMS):
            raise ValueError(f"no such mode, user or algorithm: {mode}, {user}, {algorithm}")
        with self._lock:
            self.mode, self.user = mode or self.mode, user or self.user
            self.algorithm = algorithm or self.algorithm
            self.requests, self.stolen = [], []

    def count(self, path):
        """Returns how often a path was asked for since the last change."""
        return sum(each[1] == path for each in self.requests)

    # MARK: Answers

    def _steal(self, method, url, body, headers):
        with self._lock:
            self.stolen.append((method, url.path, body, dict(headers)))
        return 200, {}, {"access_token": "stolen", "token_type": "Bearer", "id_token": "a.b.c"}

    def _answer(self, method, url, body, headers):
        with self._lock:
            self.requests.append((method, url.path))
        query = dict(urllib.parse.parse_qsl(url.query))
        route = (method, url.path)
        if route == ("GET", "/.well-known/openid-configuration"):
            if self.mode == "slow-metadata":
                time.sleep(1)
            return 200, {"Cache-Control": "max-age=60"}, self._metadata()
        if route == ("GET", "/jwks"):
            return 200, {"Cache-Control": "max-age=3600"}, self._key_set()
        if route == ("GET", "/authorize"):
            return self._authorize(query)
        if route == ("POST", "/token"):
            return self._token(dict(urllib.parse.parse_qsl(body)), headers)
        if route == ("GET", "/end-session"):
            return 200, {"Content-Type": "text/html; charset=utf-8"}, (
                b"<!doctype html><html lang=en><title>Signed out</title><h1>Signed out of the provider</h1></html>")
        if route == ("GET", "/favicon.ico"):
            return 200, {"Content-Type": "image/x-icon"}, b""
        if route == ("POST", "/control"):
            try:
                self.control(**json.loads(body))
            except (ValueError, TypeError) as error:
                return 400, {}, {"error": str(error)}
            return 200, {}, {"mode": self.mode, "user": self.user, "algorithm": self.algorithm}
        return 404, {}, {"error": "not_found"}

    def _metadata(self):
        return {
            "issuer": OTHER_ISSUER if self.mode == "other-issuer-in-metadata" else self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "end_session_endpoint": f"{self.issuer}/end-session",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "grant_types_supported": ["authorization_code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            # It tempts a client that takes from here what it accepts.
            "id_token_signing_alg_values_supported": [*ALGORITHMS, "HS256", "none"],
            "scopes_supported": ["openid", "profile"],
            "authorization_response_iss_parameter_supported": True,
        }

    def _key_set(self):
        keys = [each.jwk() for each in self._keys.values()]
        if self.mode == "rotated-kid":
            keys += [each.jwk() for each in self._rotated.values()]
        if self.mode in REPLACED:
            keys = [self._rotated[name].jwk() | {"kid": each.kid} for name, each in self._keys.items()]
        if self.mode == "replaced-key-without-kid":
            for each in keys:
                del each["kid"]
        if self.mode == "huge-jwks":
            filler = "A" * (HUGE // 100)
            keys += [{"kty": "oct", "kid": f"filler-{index}", "k": filler} for index in range(100)]
        return {"keys": keys}

    def _authorize(self, query):
        redirect_uri = query.get("redirect_uri")
        if query.get("client_id") != self.client_id or redirect_uri not in self.redirect_uris:
            # Nobody is sent to an address that isn't the client's.
            return 400, {}, {"error": "invalid_request", "error_description": "unknown client_id or redirect_uri"}
        back = {"state": query.get("state", ""), "iss": self.issuer}
        refusal = None
        if query.get("response_type") != "code" or "openid" not in query.get("scope", "").split():
            refusal = "response_type has to be code, and scope has to have openid"
        elif query.get("code_challenge_method") != "S256" or len(query.get("code_challenge", "")) != 43:
            refusal = "a code_challenge of S256 is required"
        elif len(query.get("state", "")) < 16 or len(query.get("nonce", "")) < 16:
            refusal = "state and nonce have to be long enough not to be guessed"
        if refusal:
            back |= {"error": "invalid_request", "error_description": refusal}
        elif self.mode == "error-access-denied":
            back |= {"error": "access_denied", "error_description": "<b>The person said no</b>"}
        else:
            code = secrets.token_urlsafe(24)
            with self._lock:
                self._codes[code] = (query, self.user, time.monotonic())
                self._nonces.append(query["nonce"])
            back["code"] = code
        if self.mode == "wrong-state":
            back["state"] = secrets.token_urlsafe(32)
        elif self.mode == "missing-state":
            del back["state"]
        elif self.mode == "iss-parameter-wrong":
            back["iss"] = OTHER_ISSUER
        elif self.mode == "iss-parameter-missing":
            del back["iss"]
        return 302, {"Location": f"{redirect_uri}?{urllib.parse.urlencode(back)}", "Cache-Control": "no-store"}, b""

    def _is_client(self, form, headers):
        """Whether the client proves itself, in exactly one of the two ways."""
        scheme, _, value = headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "basic":
            try:
                name, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
            except ValueError:
                return False
            name, secret = urllib.parse.unquote_plus(name), urllib.parse.unquote_plus(secret)
            if "client_secret" in form:
                return False
        else:
            name, secret = form.get("client_id"), form.get("client_secret", "")
        return name == self.client_id and hmac.compare_digest(secret.encode(), self.client_secret.encode())

    def _token(self, form, headers):
        def refuse(error, status=400):
            return status, {"Cache-Control": "no-store"}, {"error": error}

        if not self._is_client(form, headers):
            return refuse("invalid_client", 401)
        if form.get("grant_type") != "authorization_code":
            return refuse("unsupported_grant_type")
        with self._lock:
            query, user, issued = self._codes.pop(form.get("code", ""), (None, None, 0))
        if query is None or time.monotonic() - issued > 60 or form.get("redirect_uri") != query["redirect_uri"]:
            return refuse("invalid_grant")
        digest = base64url(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if not hmac.compare_digest(digest, query["code_challenge"]):
            return refuse("invalid_grant")
        if self.mode == "token-endpoint-500":
            return refuse("server_error", 500)
        if self.mode == "redirecting-token-endpoint":
            return 307, {"Location": f"http://127.0.0.2:{self._thief.server_port}/token"}, b""
        if self.mode == "slow-token":
            self._ending.wait(SLOW_SECONDS)
        answer = json.dumps({
            "access_token": secrets.token_urlsafe(24), "token_type": "Bearer", "expires_in": 300,
            "id_token": self.id_token(user, query["nonce"])}).encode()
        if self.mode == "bad-json":
            answer = answer[:-20]
        if self.mode == "huge-token":
            answer = answer[:-1] + b', "filler": "' + b"A" * HUGE + b'"}'
        return 200, {"Content-Type": "application/json", "Cache-Control": "no-store"}, answer

    def id_token(self, user, nonce):
        """Returns the token that the mode makes."""
        now, mode = int(time.time()), self.mode
        claims = {"iss": self.issuer, "sub": f"sub-of-{user}", "aud": self.client_id, "nonce": nonce,
                  "iat": now, "exp": now + 300, "auth_time": now} | ACCOUNTS[user].claims
        own = self._keys[self.algorithm]
        header = {"typ": "JWT", "alg": own.algorithm, "kid": own.kid}
        several = [self.client_id, "another-client"]
        claims |= {
            "skewed": {"iat": now - 330, "exp": now - 30},
            "wrong-aud": {"aud": "another-client"},
            "several-aud-without-azp": {"aud": several},
            "wrong-azp": {"aud": several, "azp": "another-client"},
            "expired": {"iat": now - 7200, "exp": now - 3600},
            "future-iat": {"iat": now + 3600, "exp": now + 7200},
            # Of the sign-in before, or of another client's where there was none.
            "replayed-nonce": {"nonce": self._nonces[-2] if len(self._nonces) > 1 else secrets.token_urlsafe(32)},
            "other-issuer": {"iss": OTHER_ISSUER},
        }.get(mode, {})
        for name in {"missing-nonce": ["nonce"], "missing-sub": ["sub"]}.get(mode, []):
            del claims[name]
        sign = own.sign
        if mode == "alg-none":
            header["alg"], sign = "none", lambda _: b""
        elif mode == "hs256-with-public-key":
            header["alg"] = "HS256"

            def sign(message):
                return hmac.new(own.pem(), message, hashlib.sha256).digest()
        elif mode == "wrong-signature":
            sign = self._unknown[self.algorithm].sign
        elif mode in ("other-kid", "rotated-kid"):
            other = (self._unknown if mode == "other-kid" else self._rotated)[self.algorithm]
            header["kid"], sign = other.kid, other.sign
        elif mode in REPLACED:
            sign = self._rotated[self.algorithm].sign
            if mode == "replaced-key-without-kid":
                del header["kid"]
        message = ".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
        return f"{message}.{base64url(sign(message.encode()))}"


# MARK: Its own test

class Client:
    """A client as strict as PyJWT, to see that what is bad is bad, and nothing else."""

    def __init__(self, provider, redirect_uri):
        self.provider, self.redirect_uri = provider, redirect_uri
        self.keys = {}

    def fetch_keys(self):
        import jwt

        answer = request("GET", f"{self.provider.issuer}/jwks")
        if len(answer.body) > 1_048_576:
            raise ValueError("the key set is too large")
        # A key without a name is found by its algorithm.
        self.keys = {each.get("kid") or each["alg"]: jwt.PyJWK(each) for each in json.loads(answer.body)["keys"]}

    def sign_in(self, verifier=None, secret=None, challenge=True, timeout=3):
        """Returns the claims, or raises what is wrong."""
        import jwt

        provider = self.provider
        metadata = json.loads(request("GET", f"{provider.issuer}/.well-known/openid-configuration").body)
        if metadata["issuer"] != provider.issuer:
            raise ValueError("the metadata is of another issuer")
        state, nonce, own = (secrets.token_urlsafe(32) for _ in range(3))
        query = {"response_type": "code", "client_id": provider.client_id, "redirect_uri": self.redirect_uri,
                 "scope": "openid profile", "state": state, "nonce": nonce}
        if challenge:
            digest = base64url(hashlib.sha256(own.encode()).digest())
            query |= {"code_challenge": digest, "code_challenge_method": "S256"}
        answer = request("GET", f"{metadata['authorization_endpoint']}?{urllib.parse.urlencode(query)}")
        if not answer.location.startswith(self.redirect_uri):
            raise ValueError(f"not sent back: {answer.status} {answer.text}")
        back = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer.location).query))
        if back.get("state") != state:
            raise ValueError("another state")
        if back.get("iss") != provider.issuer:
            raise ValueError("another issuer in the callback")
        if "error" in back:
            raise ValueError(f"the provider says {back['error']}")
        self.code, self.verifier = back["code"], verifier or own
        answer = self.exchange(secret, timeout)
        if answer.status != 200 or len(answer.body) > 1_048_576:
            raise ValueError(f"the token endpoint answers {answer.status} with {len(answer.body)} bytes")
        token = json.loads(answer.body)["id_token"]
        header = jwt.get_unverified_header(token)
        kid = header.get("kid") or header["alg"]
        for _ in range(2):
            if kid not in self.keys:
                self.fetch_keys()
        if kid not in self.keys:
            raise ValueError("a key that isn't in the key set")
        try:
            claims = self.verify(token, kid)
        except jwt.InvalidSignatureError:
            # The key may be another one now.
            self.fetch_keys()
            claims = self.verify(token, kid)
        if claims.get("nonce") != nonce:
            raise ValueError("another nonce")
        if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and claims.get("azp") != provider.client_id:
            raise ValueError("issued to another client")
        return claims

    def verify(self, token, kid):
        import jwt

        return jwt.decode(token, self.keys[kid].key, algorithms=list(ALGORITHMS), audience=self.provider.client_id,
                          issuer=self.provider.issuer, leeway=60,
                          options={"require": ["exp", "iat", "sub", "aud", "iss"]})

    def exchange(self, secret=None, timeout=3):
        form = {"grant_type": "authorization_code", "code": self.code, "redirect_uri": self.redirect_uri,
                "code_verifier": self.verifier}
        proof = base64.b64encode(f"{self.provider.client_id}:{secret or self.provider.client_secret}".encode()).decode()
        headers = {"Authorization": f"Basic {proof}", "Content-Type": "application/x-www-form-urlencoded"}
        return request("POST", f"{self.provider.issuer}/token", urllib.parse.urlencode(form).encode(), headers, timeout)


def check():
    import jwt

    failures = 0

    def expect(is_right, what):
        nonlocal failures
        failures += not is_right
        print(("ok      " if is_right else "WRONG   ") + what)

    def outcome(client, **options):
        try:
            return client.sign_in(**options)
        except (ValueError, OSError, jwt.PyJWTError) as error:
            return error

    redirect_uri = "http://127.0.0.1:9/sign-in/callback"
    with HostileProvider([redirect_uri]) as provider:
        for algorithm in ALGORITHMS:
            provider.control(user="stella", algorithm=algorithm)
            claims = outcome(Client(provider, redirect_uri))
            expect(isinstance(claims, dict) and claims["student_number"] == "1001", f"good, {algorithm}")
        provider.control(algorithm="ES256")
        for mode in MODES:
            client = Client(provider, redirect_uri)
            provider.control("good")
            client.fetch_keys()
            provider.control(mode)
            if mode == "huge-jwks":
                client.keys = {}
            found = outcome(client, timeout=1 if mode == "slow-token" else 3)
            is_in = isinstance(found, dict)
            what = "signed in" if is_in else f"{type(found).__name__}: {found}"
            expect(is_in == (mode in ACCEPTED), f"{mode}: {what}")
        provider.control("good")
        client = Client(provider, redirect_uri)
        found = outcome(client, verifier="v" * 50)
        expect(isinstance(found, ValueError) and "400" in str(found), f"another verifier: {found}")
        found = outcome(client, secret="guessed")
        expect(isinstance(found, ValueError) and "401" in str(found), f"another secret: {found}")
        found = outcome(client, challenge=False)
        expect(isinstance(found, ValueError) and "invalid_request" in str(found), f"without PKCE: {found}")
        client.sign_in()
        expect(client.exchange().status == 400, "a code is used once")
        elsewhere = Client(provider, "http://127.0.0.1:9/elsewhere")
        expect(isinstance(outcome(elsewhere), ValueError), f"another redirect_uri: {outcome(elsewhere)}")
        answer = request("POST", f"{provider.issuer}/control", b'{"mode": "expired", "user": "max"}')
        expect(answer.status == 200 and provider.mode == "expired", f"POST /control: {answer.text}")
        answer = request("POST", f"{provider.issuer}/control", b'{"mode": "friendly"}')
        expect(answer.status == 400, f"POST /control with an unknown mode: {answer.text}")
    print(f"{failures} wrong")
    return 1 if failures else 0


def serve(redirect_uri):
    with HostileProvider([redirect_uri]) as provider:
        print(f"issuer {provider.issuer}\nclient {provider.client_id}\nsecret {provider.client_secret}", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if len(sys.argv) == 3 and sys.argv[1] == "--serve":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        sys.exit(serve(sys.argv[2]))
    sys.exit(__doc__)
