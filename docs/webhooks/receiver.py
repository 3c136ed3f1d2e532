"""Receives webhooks: verifies each delivery, keeps it once, and answers. It needs Python 3.9 or newer, and nothing else.

    WEBHOOK_SECRET=whsec_… PORT=9000 python3 receiver.py

It speaks plain HTTP to this machine only. In front of it a proxy (Caddy, nginx, a load balancer) ends TLS.
"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
EVENTS_FILE = os.environ.get("EVENTS_FILE", "events.jsonl")

# Older deliveries are refused: somebody who recorded one could send it again.
TOLERANCE_SECONDS = 5 * 60
MAX_BODY_BYTES = 1024 * 1024

# The ids of what has arrived, also before a restart. A table with a unique key does the same.
known = set()
if os.path.exists(EVENTS_FILE):
    with open(EVENTS_FILE, encoding="utf-8") as lines:
        known = {json.loads(line)["id"] for line in lines}
keeping = threading.Lock()


def is_genuine(headers, body):
    """Verifies the signature over the bytes that came, before anything reads them."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
    # While a secret is being rotated there are two; one that fits is enough.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


def keep(message_id, body):
    """Keeps a delivery unless it is known, and only then says that it has arrived. The work on it comes later."""
    with keeping:
        if message_id in known:
            return
        event = json.loads(body)
        with open(EVENTS_FILE, "a", encoding="utf-8") as file:
            file.write(json.dumps({"id": message_id, "event": event}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        known.add(message_id)
        print(event["type"], message_id, flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if not 0 <= length <= MAX_BODY_BYTES:
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            return self.answer(401)
        try:
            keep(self.headers["webhook-id"], body)
        except Exception:
            # A delivery that could not be kept comes again.
            return self.answer(500)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
