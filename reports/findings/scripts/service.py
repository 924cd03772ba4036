"""Services for the scripts beside this one, made of the standard library: each answers every request in one way."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


def sse(*events):
    """Server-sent events; those that have a type go under its name."""
    named = (f"event: {event['type']}\n" if "type" in event else "" for event in events)
    return "".join(f"{name}data: {json.dumps(event)}\n\n" for name, event in zip(named, events, strict=True)).encode()


def serve(body, content_type="text/event-stream"):
    """Answer with a body. Gives the address, and a list of the JSON bodies that were asked with."""
    asked = []

    def answer(request, handler):
        asked.append(json.loads(request))
        handler.wfile.write(body)

    return _started(answer, content_type), asked


def endless(piece, content_type="text/event-stream"):
    """Answer without end. Gives the address, and a list that gets an entry each time a caller has hung up."""
    left = []

    def answer(request, handler):
        try:
            while True:
                handler.wfile.write(piece)
                time.sleep(0.02)
        except OSError:
            left.append(True)

    return _started(answer, content_type), left


def _started(answer, content_type):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", content_type)
            self.end_headers()
            answer(request, self)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
