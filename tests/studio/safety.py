#!/usr/bin/env python3
"""Tries the native engine of the Studio as strangers would: raw requests, each of which must be refused, and each for its own reason.

usage: safety.py TORSOR
"""

import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

FAILED = []


def check(what, found, expected):
    if found != expected:
        FAILED.append(f"{what}: {found!r} instead of {expected!r}")


class Studio:
    """`torsor studio` on a free port, with a page of one line."""

    def __init__(self, torsor, *arguments):
        self.page = tempfile.TemporaryDirectory()
        pathlib.Path(self.page.name, "index.html").write_text("<!doctype html>the page")
        pathlib.Path(self.page.name, "secret.txt").write_text("no file of the page")
        words = [torsor, "studio", "--port", "0", "--no-open", "--json", *arguments]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "TORSOR_STUDIO": self.page.name})
        said = json.loads(self.process.stdout.readline())
        self.port = said["port"]
        self.token = re.fullmatch(rf"http://127\.0\.0\.1:{self.port}/([0-9a-f]{{32}})/", said["address"])[1]

    def send(self, raw, seconds=10):
        """What comes back for these bytes: status, head, body; status 0 where the connection is closed without a word."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            try:
                connection.sendall(raw)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            answer = b""
            try:
                while piece := connection.recv(1 << 16):
                    answer += piece
            except OSError:
                pass
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head else 0
        return status, head.decode("latin-1"), body

    def request(self, method="POST", path=None, body=b"", **headers):
        lines = {"Host": f"127.0.0.1:{self.port}", "Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
        lines.update({name.replace("_", "-"): value for name, value in headers.items()})
        path = f"/{self.token}/call" if path is None else path
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None) + "\r\n"
        return self.send(head.encode() + body)

    def with_rows(self, name, /, **fields):
        """The JSON of an answer, and a function that gives the numbers of a field of it."""
        status, _, body = self.request(body=json.dumps({"call": name, **fields}).encode())
        check(f"call {name}", status, 200)
        if body[:1] == b"{":
            return json.loads(body), lambda field: []
        end = 4 + int.from_bytes(body[:4], "little")
        answer = json.loads(body[4:end])
        return answer, lambda field: list(struct.unpack_from(f"<{answer[field]['f64'][1]}d", body, end + 8 * answer[field]["f64"][0]))

    def call(self, name, /, **fields):
        return self.with_rows(name, **fields)[0]

    def end(self):
        self.process.terminate()
        self.process.wait()


def strangers(studio):
    ask = json.dumps({"call": "catalogue"}).encode()
    own = f"http://127.0.0.1:{studio.port}"
    check("an honest call", studio.request(body=ask)[0], 200)
    check("with its own origin", studio.request(body=ask, Origin=own)[0], 200)
    check("by the name localhost", studio.request(body=ask, Host=f"localhost:{studio.port}", Origin=f"http://localhost:{studio.port}")[0], 200)
    check("another host (DNS rebinding)", studio.request(body=ask, Host=f"evil.example:{studio.port}")[0], 421)
    check("no port", studio.request(body=ask, Host="127.0.0.1")[0], 421)
    check("no host", studio.request(body=ask, Host=None)[0], 421)
    check("another host without a body", studio.request(method="GET", path=f"/{studio.token}/", Host="evil.example")[0], 421)
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{studio.port}", f"http://127.0.0.1:{studio.port + 1}"):
        check(f"origin {origin}", studio.request(body=ask, Origin=origin)[0], 403)
    check("from another site", studio.request(body=ask, Sec_Fetch_Site="cross-site")[0], 403)
    check("no token", studio.request(path="/call", body=ask)[0], 403)
    check("a wrong token", studio.request(path=f"/{'0' * 32}/call", body=ask)[0], 403)
    check("a token cut short", studio.request(path=f"/{studio.token[:-1]}/call", body=ask)[0], 403)
    status, head, body = studio.request(method="GET", path=f"/{'0' * 32}/")
    check("the page at an old address", (status, b"another address now" in body, studio.token.encode() in body), (403, True, False))
    check("a form", studio.request(body=ask, Content_Type="text/plain")[0], 415)
    check("a call by GET", studio.request(method="GET")[0], 405)
    check("the page by POST", studio.request(path=f"/{studio.token}/", body=b"")[0], 405)
    check("other methods", studio.request(method="DELETE", path=f"/{studio.token}/")[0], 405)


def files_of_the_page(studio):
    status, head, body = studio.request(method="GET", path=f"/{studio.token}/")
    check("the page", (status, body), (200, b"<!doctype html>the page"))
    policy = re.search(r"Content-Security-Policy: (.*)", head)[1]
    check("no script but our own files", "script-src 'self'" in policy and "unsafe" not in policy and "default-src 'none'" in policy, True)
    for line in ("X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-store"):
        check(line, line in head, True)
    for path in ("secret.txt", "../secret.txt", "..%2f..%2fetc/passwd", "../../../../etc/passwd", "/etc/passwd", "index.html/../secret.txt"):
        check(f"file {path}", studio.request(method="GET", path=f"/{studio.token}/{path}")[0], 404)
    check("HEAD has no body", studio.request(method="HEAD", path=f"/{studio.token}/")[2], b"")


def malformed(studio):
    host = f"Host: 127.0.0.1:{studio.port}\r\n"
    path = f"/{studio.token}/call"
    check("no HTTP", studio.send(b"hello\r\n\r\n")[0], 400)
    check("HTTP/1.0", studio.send(f"GET {path} HTTP/1.0\r\n{host}\r\n".encode())[0], 400)
    check("a line without a colon", studio.send(f"GET {path} HTTP/1.1\r\n{host}oops\r\n\r\n".encode())[0], 400)
    check("two lengths", studio.send(f"POST {path} HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab".encode())[0], 400)
    check("two hosts", studio.send(f"POST {path} HTTP/1.1\r\n{host}{host}\r\n".encode())[0], 400)
    check("a negative length", studio.send(f"POST {path} HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n".encode())[0], 400)
    check("a length in words", studio.send(f"POST {path} HTTP/1.1\r\n{host}Content-Length: many\r\n\r\n".encode())[0], 400)
    check("pieces", studio.send(f"POST {path} HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n".encode())[0], 501)
    check("a huge body", studio.send(f"POST {path} HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 90000000\r\n\r\n".encode())[0], 413)
    check("a length beyond all numbers", studio.send(f"POST {path} HTTP/1.1\r\n{host}Content-Length: {'9' * 40}\r\n\r\n".encode())[0], 413)
    check("a huge head", studio.send(f"GET / HTTP/1.1\r\nX: {'x' * 100000}\r\n\r\n".encode())[0], 431)
    check("a body that does not come", studio.send(f"POST {path} HTTP/1.1\r\n{host}Content-Length: 10\r\n\r\nabc".encode())[0], 0)
    check("control characters", studio.send(f"GET /\x01 HTTP/1.1\r\n{host}\r\n".encode())[0], 400)


def rule(answer):
    return answer["faults"][0]["rule"] if "faults" in answer else "none"


def calls(studio, inside, outside):
    for body in (b"", b"{", b"[]", b"null", b"{}", b'{"call": 3}', b'{"call": "state", "call": "state"}', b'{"call": "nothing"}', b"[" * 100000, b"\xff\xfe"):
        status, _, answer = studio.request(body=body)
        check(f"the body {body[:40]!r}", (status, "faults" in json.loads(answer)), (200, True))
    check("a file below the root", studio.call("open", path=str(inside)).get("kind"), "robot")
    for path in (str(outside), f"{inside.parent}/../{outside.name}", "/etc/passwd", "", "link.toml", str(inside.parent / "link.toml"), str(inside.parent)):
        check(f"the file {path!r}", rule(studio.call("open", path=path)), "file-outside")
    check("what is there is not said", studio.call("open", path=str(outside))["faults"][0]["what"], studio.call("open", path="/no/such/file")["faults"][0]["what"])
    for name in ("../x.toml", "/etc/x.toml", "a/../../x.toml", ".", ""):
        check(f"a dropped file {name!r}", rule(studio.call("open", files=[{"name": name, "text": "x"}], main=name)), "file-name")
    robot = studio.call("open", name="puma560")
    check("a robot", (robot["kind"], robot["nv"]), ("robot", 6))
    check("built in alone", rule(studio.call("open", name=str(outside))), "robot-unknown")
    check("too few numbers", rule(studio.call("state", id=robot["id"], q=[0, 0])), "call-field")
    check("no numbers", rule(studio.call("state", id=robot["id"], q=["a"] * 6)), "call-field")
    check("another number", rule(studio.call("state", id=10**6, q=[0] * 6)), "thing-unknown")
    check("an option as a question", rule(studio.call("start", id=robot["id"], question="--help")), "question-unknown")
    check("a formulation that is none", rule(studio.call("worked_example", id=robot["id"], q=[0] * 6, formulation="--help")), "formulation-unknown")
    check("steps without end", rule(studio.call("worked_example", id=studio.call("open", name="two_arm")["id"], q=[0] * 13, formulation="lagrange-euler")), "call-size")
    check("a drive file that is none", "faults" in studio.call("drives", id=robot["id"], kind="usual", drives="[[motor]]\nx", name="../../etc/passwd"), True)
    check("drives of no file", rule(studio.call("start", id=robot["id"], question="drives", motion="x")), "drive-file")
    check("a path as a law", rule(studio.call("motion", id=robot["id"], kind="points", law='x"\n[', points=[])), "call-field")


def replaced(torsor, folder):
    """The command is built anew while it serves: long questions are still asked of the one that runs."""
    copy = pathlib.Path(folder, "torsor")
    shutil.copy(torsor, copy)
    studio = Studio(str(copy))
    try:
        copy.unlink()
        robot = studio.call("open", name="two_link")
        job, end = studio.call("start", id=robot["id"], question="structure")["job"], time.monotonic() + 60
        while not (answer := studio.call("look", job=job))["done"] and time.monotonic() < end:
            time.sleep(0.02)
        check("the exit code of a long question", answer.get("code"), 0)
    finally:
        studio.end()


def main():
    torsor = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "root")
        root.mkdir()
        text = subprocess.run([torsor, "convert", "two_link", "--to", "toml"], capture_output=True, text=True, check=True).stdout
        inside, outside = root / "arm.toml", pathlib.Path(folder, "outside.toml")
        inside.write_text(text)
        outside.write_text(text)
        (root / "link.toml").symlink_to(outside)
        studio = Studio(torsor, "--root", str(root))
        try:
            strangers(studio)
            files_of_the_page(studio)
            malformed(studio)
            calls(studio, inside, outside)
            check("it still runs", studio.process.poll(), None)
        finally:
            studio.end()
        replaced(torsor, folder)
    print("\n".join(FAILED) or "all of these were refused, each for its reason")
    sys.exit(bool(FAILED))


if __name__ == "__main__":
    main()
