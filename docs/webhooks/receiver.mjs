// Receives webhooks: verifies each delivery, keeps it once, and answers. It needs Node 22 or newer, and nothing else.
//
//     WEBHOOK_SECRET=whsec_… PORT=9000 node receiver.mjs
//
// It speaks plain HTTP to this machine only. In front of it a proxy (Caddy, nginx, a load balancer) ends TLS.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET = '', PORT = '9000', EVENTS_FILE = 'events.jsonl' } = process.env;
const KEY = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
if (KEY.length < 24) throw new Error('WEBHOOK_SECRET is not set');

/** Older deliveries are refused: somebody who recorded one could send it again. */
const TOLERANCE_SECONDS = 5 * 60;
const MAX_BODY_BYTES = 1024 * 1024;

/** The ids of what has arrived, also before a restart. A table with a unique key does the same. */
const known = new Set(
  existsSync(EVENTS_FILE)
    ? readFileSync(EVENTS_FILE, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).id)
    : [],
);

/** Verifies the signature over the bytes that came, before anything reads them. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  // While a secret is being rotated there are two; one that fits is enough.
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Keeps a delivery unless it is known, and only then says that it has arrived. The work on it comes later. */
function keep(id, body) {
  if (known.has(id)) return;
  const event = JSON.parse(body);
  appendFileSync(EVENTS_FILE, `${JSON.stringify({ id, event })}\n`, { flush: true });
  known.add(id);
  process.stdout.write(`${event.type} ${id}\n`);
}

async function receive(request) {
  if (request.method !== 'POST') return 405;
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > MAX_BODY_BYTES) return 413;
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  if (!isGenuine(request.headers, body)) return 401;
  keep(request.headers['webhook-id'], body);
  return 204;
}

const server = createServer(async (request, response) => {
  // A delivery that could not be kept is answered 500, and comes again.
  const status = await receive(request).catch(() => 500);
  response.writeHead(status, { Connection: 'close' }).end();
});
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${server.address().port}\n`);
});
