import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SendResult, send } from '../../../../api/webhooks/delivery/send.ts';
import { RELEASE } from '../../../../runtime/release.ts';
import { newAuthority } from '../../../support/certificates.ts';
import {
  answering,
  type Behaviour,
  closing,
  endless,
  hanging,
  hangingInBody,
  lyingBy,
  type Receiver,
  redirectingTo,
  startReceiver,
  trickling,
  writing,
} from '../../../support/receiver.ts';
import {
  addresses,
  answered,
  every,
  failed,
  HURRIED_MS,
  MESSAGE,
  PATIENT_MS,
  SECRETS,
  sendRoughly,
  timedOut,
} from './sending.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

/** Every test has a path of its own. */
let path: string;
let paths = 0;
beforeEach(() => {
  path = `/hook-${++paths}`;
});

/** Sends, and waits until no connection is left. */
async function sendTo(behaviour: Behaviour, timeoutMs = PATIENT_MS): Promise<SendResult> {
  receiver.behave(path, behaviour);
  const result = await send({ ...MESSAGE, url: receiver.url + path }, { addresses, timeoutMs });
  await receiver.idle();
  return result;
}

describe('a delivery', () => {
  test('is a POST to path and query, with the body as it is and its headers', async () => {
    const url = `${receiver.url}${path}?a=b%20c&d`;
    expect(await send({ ...MESSAGE, url }, { addresses })).toEqual(answered(204));
    const [delivery] = receiver.to(`${path}?a=b%20c&d`);
    expect(delivery).toMatchObject({ method: 'POST', body: MESSAGE.body });
    expect(delivery?.headers).toEqual({
      host: receiver.host,
      connection: 'close',
      'accept-encoding': 'identity',
      'content-length': String(Buffer.byteLength(MESSAGE.body)),
      'content-type': 'application/json',
      'user-agent': `energy-asset-data-service/${RELEASE}`,
      'webhook-id': 'evt_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,\S{44} v1,\S{44}$/),
    });
  });

  test('is verified by the package standardwebhooks, with the present secret and the one before', async () => {
    await sendTo(answering(200));
    const [delivery] = receiver.to(path);
    for (const secret of SECRETS) {
      const headers = { ...delivery?.headers } as Record<string, string>;
      expect(new Webhook(secret).verify(delivery?.body ?? '', headers)).toEqual({ ort: 'Görlitz' });
    }
  });

  test('of a hundred kilobytes arrives whole', async () => {
    const body = JSON.stringify({ text: 'ü'.repeat(50_000) });
    await send({ ...MESSAGE, body, url: receiver.url + path }, { addresses });
    expect(receiver.to(path)[0]?.body).toBe(body);
  });

  test('signed by a text that is no secret is a fault of ours, and is not sent', async () => {
    const unsigned = { ...MESSAGE, secrets: ['hunter2'], url: receiver.url + path };
    await expect(send(unsigned, { addresses })).rejects.toThrow('is not whsec_ and 24 to 64 bytes');
    expect(receiver.to(path)).toEqual([]);
  });
});

describe('an answer', () => {
  test.each([200, 201, 202, 204, 400, 401, 404, 410, 429, 500, 503])('of status %i is told', async (status) => {
    expect(await sendTo(answering(status))).toEqual(answered(status));
  });

  test.each([301, 302, 303, 307, 308])('of status %i is told, and not followed', async (status) => {
    expect(await sendTo(redirectingTo(`${receiver.url}${path}/elsewhere`, status))).toEqual(answered(status));
    expect(receiver.to(path)).toHaveLength(1);
    expect(receiver.to(`${path}/elsewhere`)).toEqual([]);
  });

  test.each([
    ['seconds', '120', 120_000],
    ['a moment that is over', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['nothing of the kind', 'soon', null],
  ])('with Retry-After tells the pause: %s', async (_what, value, pause) => {
    expect(await sendTo(answering(503, { 'retry-after': value }))).toEqual(answered(503, '', pause));
  });

  test('is kept to its first kilobyte, whole characters only', async () => {
    const result = await sendTo(answering(200, {}, `x${'ü'.repeat(1000)}`));
    expect(result).toEqual(answered(200, `x${'ü'.repeat(511)}`));
  });

  test('of bytes that are no text is kept as what Postgres can store', async () => {
    const result = await sendTo((response) => response.end(Buffer.from([0x61, 0x00, 0xff, 0x62])));
    expect(result).toEqual(answered(200, 'a\u{fffd}\u{fffd}b'));
  });

  test('that is compressed stays compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const result = await sendTo((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(result).toEqual(answered(200, expect.stringMatching(/^\P{L}\u{fffd}/u)));
  });

  test('without end is read to 64 KiB, and its status counts', async () => {
    expect(await sendTo(endless)).toEqual(answered(200, 'x'.repeat(1024)));
  });

  test('in HTTP/1.0 ends with the connection', async () => {
    const result = await sendTo((response) => {
      response.socket?.end('HTTP/1.0 200 OK\r\n\r\nhello');
    });
    expect(result).toEqual(answered(200, 'hello'));
  });

  test('in pieces is put together', async () => {
    const pieces = [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      '2\r\nhe\r\n',
      '3\r\nllo\r\n',
      '0\r\n\r\n',
    ];
    expect(await sendTo(writing(...pieces))).toEqual(answered(200, 'hello'));
  });

  test('shorter than announced is none', async () => {
    expect(await sendTo(lyingBy(5))).toEqual(failed(/^While reading the answer: aborted/));
  });

  test('longer than announced is read as announced', async () => {
    const result = await sendTo(writing('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more'));
    expect(result).toEqual(answered(200, 'ok'));
  });

  test.each([
    ['a second answer', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n'],
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ])('that comes with %s is the one that counts', async (_what, text) => {
    expect(await sendTo(writing(text))).toEqual(answered(200, 'ok'));
  });
});

describe('a receiver that', () => {
  test.each([
    ['never answers', hanging, 'waiting for the answer'],
    ['stops in the status line', writing('HTTP/1.1 2'), 'waiting for the answer'],
    ['stops in the headers', writing('HTTP/1.1 200 OK\r\nX-Slow: '), 'waiting for the answer'],
    ['says 100 Continue and no more', writing('HTTP/1.1 100 Continue\r\n\r\n'), 'waiting for the answer'],
    ['stops in the body', hangingInBody, 'reading the answer'],
    ['trickles its body', trickling, 'reading the answer'],
    ['trickles its headers', tricklingHeaders, 'waiting for the answer'],
  ])('%s has as long as the attempt', async (_what, behaviour, stage) => {
    expect(await sendTo(behaviour, HURRIED_MS)).toEqual(timedOut(stage));
  });

  test.each([
    ['closes instead of an answer', closing, /^While waiting for the answer: socket hang up \(ECONNRESET\)$/],
    [
      'closes in its headers',
      writingAndClosing('HTTP/1.1 200 OK\r\nX-A'),
      /^While waiting for the answer: socket hang up/,
    ],
    [
      'closes in its body',
      writingAndClosing('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'),
      /aborted \(ECONNRESET\)$/,
    ],
    ['closes in a piece', writingAndClosing('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'), /aborted/],
    [
      'speaks another protocol',
      writing('SSH-2.0-OpenSSH_9.2\r\n'),
      /^While waiting for the answer: Parse Error: .*HPE_/,
    ],
    ['answers bytes', writing('\x00\x01\x02\x03'), /Parse Error/],
    ['answers without a status line', writing('<html>hello</html>\r\n\r\n'), /Parse Error/],
    [
      'announces two lengths',
      writing('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc'),
      /Parse Error/,
    ],
    [
      'announces a length and pieces',
      writing('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
      /Parse Error/,
    ],
    [
      'changes the protocol',
      writing('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      /\(101\)$/,
    ],
    ['sends a header without end', endlessly('HTTP/1.1 200 OK\r\nX-A: ', 'x'.repeat(4096)), /HPE_HEADER_OVERFLOW/],
    ['sends headers without end', endlessly('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'.repeat(512)), /HPE_HEADER_OVERFLOW/],
    [
      'sends interim answers without end',
      endlessly('', 'HTTP/1.1 102 Processing\r\n\r\n'),
      /more than 10 interim answers/,
    ],
    [
      'sends extensions of pieces without end',
      endlessly('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'.repeat(4096)),
      /HPE_CHUNK_EXTENSIONS_OVERFLOW/,
    ],
    [
      'sends trailers without end',
      endlessly('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'X-A: b\r\n'.repeat(512)),
      /HPE_HEADER_OVERFLOW/,
    ],
  ])('%s has not answered', async (_what, behaviour, error) => {
    expect(await sendTo(behaviour)).toEqual(failed(error));
  });

  test('sends a text of its own choice as an error gets one line of it', async () => {
    const strange = newAuthority('a\nb\0'.repeat(200)).issue(['elsewhere.example.org']);
    const result = await sendRoughly(strange, () => {});
    expect(result).toEqual(failed(/^[^\p{Cc}]{1,350}$/u));
  });

  test('is gone has refused the connection', async () => {
    const gone = await startReceiver();
    await gone.stop();
    const result = await send({ ...MESSAGE, url: gone.url }, { addresses });
    expect(result).toEqual(failed(`While connecting: connect ECONNREFUSED ${gone.host}`));
  });
});

describe('an attempt that is broken off', () => {
  test.each([
    ['before it begins', hanging, true],
    ['while it waits', hanging, false],
    ['while it reads', hangingInBody, false],
  ])('%s says so, and leaves no connection', async (_what, behaviour, early) => {
    receiver.behave(path, behaviour);
    const breaker = new AbortController();
    if (early) breaker.abort();
    const sent = send({ ...MESSAGE, url: receiver.url + path }, { addresses, signal: breaker.signal });
    if (!early) await receiver.arrived(() => receiver.to(path).length > 0);
    breaker.abort();
    expect(await sent).toEqual(failed(/^While .*: broken off$/));
    await receiver.idle();
  });
});

test('a hundred attempts at receivers that hang leave nothing behind', async () => {
  receiver.behave(path, hanging);
  const url = receiver.url + path;
  const results = await Promise.all(
    Array.from({ length: 100 }, () => send({ ...MESSAGE, url }, { addresses, timeoutMs: HURRIED_MS })),
  );
  expect(results.every((result) => 'error' in result)).toBe(true);
  await receiver.idle();
});

function writingAndClosing(text: string): Behaviour {
  return (response) => response.socket?.write(text, () => response.socket?.destroy());
}

/** Writes a beginning, and then the same text for as long as the connection takes it. */
function endlessly(beginning: string, text: string): Behaviour {
  return ({ socket }) => {
    if (socket === null) return;
    const more = (): void => {
      while (!socket.destroyed) if (!socket.write(text)) return;
    };
    socket.on('drain', more);
    socket.on('error', () => {});
    socket.write(beginning);
    more();
  };
}

function tricklingHeaders({ socket }: Parameters<Behaviour>[0]): void {
  socket?.write('HTTP/1.1 200 OK\r\n');
  if (socket !== null) every(socket, 'X-A: b\r\n');
}
