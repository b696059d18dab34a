#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bristle lab: plain files of one folder, to this machine alone; everything else is refused.
set -u
command -v python3 >/dev/null || { echo 'skip: no python3'; exit 77; }
rm -rf dist secret.js out.txt && mkdir dist dist/sub dist/folder.js || exit 1
echo '<p>lab</p>' >dist/index.html
echo 'let a = 1;' >dist/lab.js
head -c 3000000 /dev/zero | tr '\0' x >dist/long.css
echo 'let b = 1;' >secret.js
echo 'let c = 1;' >dist/.hidden.js
ln -s ../secret.js dist/link.js
mkfifo dist/pipe.js || exit 1
timeout 20 "$BRISTLE" lab --folder dist/sub >out.txt 2>&1; [ $? -eq 1 ] && grep -q "make lab" out.txt || { echo "a folder without a page: $(cat out.txt)"; exit 1; }
"$BRISTLE" lab --folder nowhere >out.txt 2>&1; [ $? -eq 1 ] && grep -q "make lab" out.txt || { echo "a missing folder: $(cat out.txt)"; exit 1; }
"$BRISTLE" lab --port 70000 >out.txt 2>&1; [ $? -eq 2 ] || { echo "port 70000 was taken"; exit 1; }
"$BRISTLE" lab --folder dist >address.txt 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null' EXIT
for _ in $(seq 100); do grep -q http address.txt && break; sleep 0.1; done
python3 - "$(grep -o '127.0.0.1:[0-9]*' address.txt)" <<'PY' || exit 1
import socket, sys
host, port = sys.argv[1].split(":")
def ask(text):
    s = socket.create_connection((host, int(port)), 10)
    s.sendall(text.encode("latin-1"))
    out = b""
    while True:
        piece = s.recv(65536)
        if not piece: return out.decode("latin-1")
        out += piece
def code(path, method="GET", name="127.0.0.1"): return ask(f"{method} {path} HTTP/1.1\r\nHost: {name}:{port}\r\n\r\n")[9:12]
bad = 0
def want(what, got, expected):
    global bad
    if got != expected: bad += 1; print(f"{what}: {got}, expected {expected}")
whole = ask(f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n")
want("the page", "<p>lab</p>" in whole and "Content-Security-Policy: default-src 'none'" in whole and "nosniff" in whole, True)
for field in ("X-Content-Type-Options: nosniff\r\n", "frame-ancestors 'none'\r\n", "Connection: close\r\n", "Referrer-Policy: no-referrer\r\n",
              "Content-Type: text/html; charset=utf-8\r\n", "Content-Length: 11\r\n", "Cross-Origin-Resource-Policy: same-origin\r\n"):
    want(field, field in whole.split("\r\n\r\n")[0] + "\r\n", True)
long = ask("GET /long.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").split("\r\n\r\n", 1)
want("a long file", (len(long[1]), "Content-Length: 3000000\r\n" in long[0]), (3000000, True))
want("a refusal", ask("GET /none.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").split("\r\n")[0], "HTTP/1.1 404 Not Found")
want("HEAD has no body", ask(f"HEAD /lab.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").endswith("\r\n\r\n"), True)
want("a script with a query", code("/lab.js?x=1"), "200")
for path in ("/../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js", "/sub/../lab.js", "//etc/passwd", "/link.js", "/pipe.js", "/folder.js", "/.hidden.js", "/sub", "/none.js", "/lab.js/",
             "/" + "a" * 3000 + ".js", "/lab.c"):
    want("GET " + path[:40], code(path), "404")
want("POST", code("/", "POST"), "405")
want("another host", code("/", name="example.org"), "403")
want("a host that begins like this one", code("/", name="127.0.0.1.example.org"), "403")
want("no host", ask("GET / HTTP/1.1\r\n\r\n")[9:12], "403")
want("no path", ask("GET\r\n\r\n")[9:12], "400")
want("an old version", ask("GET /\r\n\r\n")[9:12], "400")
want("a zero", ask("GET /lab.js\0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")[9:12], "400")
want("a zero in a head", ask("GET /lab.js HTTP/1.1\r\nHost: 127.0.0.1\r\nX: \0\r\n\r\n")[9:12], "400")
want("a head without end", ask("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "y" * 9000)[9:12], "400")
def part(text): # sends that and no more, and hears what comes
    s = socket.create_connection((host, int(port)), 10)
    s.sendall(text)
    s.shutdown(socket.SHUT_WR)
    out = b""
    while True:
        piece = s.recv(65536)
        if not piece: return out
        out += piece
want("nothing was asked", part(b""), b"")
want("half a question", part(b"GET / HTTP/1.1\r\n")[9:12], b"400")
want("a question in two pieces is one", ask("GET /lab.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")[9:12], "200")
table = [line.split() for line in open("/proc/net/tcp")][1:] # local address, remote, state 0A: listens
heard = {row[1].split(":")[0] for row in table if row[3] == "0A" and int(row[1].split(":")[1], 16) == int(port)}
want("listens on", heard, {"0100007F"})
print("requests answered as they should" if not bad else f"{bad} wrong")
sys.exit(bad > 0)
PY
kill -INT $pid; wait $pid; [ $? -eq 0 ] || { echo "Ctrl-C did not end it"; exit 1; }
# again on the same port, though connections of the last one still fade away there; not where one listens
port=$(grep -o '127.0.0.1:[0-9]*' address.txt | cut -d: -f2)
"$BRISTLE" lab --folder dist --port "$port" >again.txt 2>&1 &
pid=$!
for _ in $(seq 100); do { grep -q http again.txt || ! kill -0 $pid 2>/dev/null; } && break; sleep 0.1; done
grep -q "http://127.0.0.1:$port/" again.txt || { echo "not again on port $port: $(cat again.txt)"; exit 1; }
timeout 20 "$BRISTLE" lab --folder dist --port "$port" >third.txt 2>&1
[ $? -eq 1 ] && grep -q "port $port of 127.0.0.1: " third.txt ||
  { echo "two on one port: $(cat third.txt)"; exit 1; }
kill -INT $pid; wait $pid; [ $? -eq 0 ] || { echo "Ctrl-C did not end the second one"; exit 1; }
