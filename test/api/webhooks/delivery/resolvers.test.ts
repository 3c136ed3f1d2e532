import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicResolver, type Resolver, resolveLocally } from '../../../../api/webhooks/delivery/resolvers.ts';

/** Types of questions, as DNS numbers them (RFC 1035, RFC 3596). */
const A = 1;
const AAAA = 28;

/** Codes of failure in answers of DNS. */
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** The answers of the name server of these tests, by name and type: addresses in bytes, a code of failure, or silence. */
type Zone = Readonly<Record<string, Readonly<Record<number, readonly Buffer[] | number | 'silence'>>>>;

const ZONE: Zone = {
  'both.example.org': {
    [A]: [Buffer.of(93, 184, 216, 34), Buffer.of(10, 0, 0, 1)],
    [AAAA]: [Buffer.from('20010db8'.padEnd(32, '0'), 'hex')],
  },
  'four.example.org': { [A]: [Buffer.of(93, 184, 216, 34)], [AAAA]: [] },
  'six.example.org': { [A]: SERVFAIL, [AAAA]: [Buffer.from('2606'.padEnd(32, '0'), 'hex')] },
  'none.example.org': { [A]: [], [AAAA]: [] },
  'broken.example.org': { [A]: SERVFAIL, [AAAA]: SERVFAIL },
  'silent.example.org': { [A]: 'silence', [AAAA]: 'silence' },
};

let server: Socket;
let resolve: Resolver;
const asked: string[] = [];

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const answer = answerTo(question);
    if (answer !== null) server.send(answer, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  resolve = publicResolver([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => server.close());

/** Reads the one question of a message and appends the records that answer it. */
function answerTo(message: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const name = labels.join('.').toLowerCase();
  const type = message.readUInt16BE(at + 1);
  asked.push(name);
  const found = ZONE[name]?.[type] ?? NXDOMAIN;
  if (found === 'silence') return null;
  const records = typeof found === 'number' ? [] : found;
  const head = Buffer.alloc(12);
  message.copy(head, 0, 0, 2);
  // An answer, wanted and available by recursion, with its code.
  head.writeUInt16BE(0x8180 | (typeof found === 'number' ? found : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  const answers = records.map((address) => {
    // The name of the question, type, class, a life of zero seconds, and the length of the address.
    const record = Buffer.from('c00c00000001000000000000', 'hex');
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(address.length, 10);
    return Buffer.concat([record, address]);
  });
  return Buffer.concat([head, message.subarray(12, at + 5), ...answers]);
}

const patient = (): AbortSignal => AbortSignal.timeout(60_000);

describe('name servers', () => {
  test.each([
    ['both.example.org', ['2001:db8::', '93.184.216.34', '10.0.0.1']],
    ['four.example.org', ['93.184.216.34']],
    ['six.example.org', ['2606::']],
  ])('%s has %j', async (host, addresses) => expect(await resolve(host, patient())).toEqual(addresses));

  test.each(['none.example.org', 'broken.example.org', 'unknown.example.org'])('%s has none', async (host) => {
    await expect(resolve(host, patient())).rejects.toThrow(/E(NODATA|SERVFAIL|NOTFOUND)/);
  });

  test('that are silent are given up with the signal', async () => {
    const signal = AbortSignal.timeout(50);
    await expect(resolve('silent.example.org', signal)).rejects.toThrow('aborted due to timeout');
  });

  test('are not asked once the signal has ended the search', async () => {
    await expect(resolve('four.example.org', AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });

  test('are asked for names as they are: what this machine knows by itself does not count', async () => {
    await expect(resolve('localhost', patient())).rejects.toThrow();
    expect(asked.filter((name) => !name.endsWith('.example.org') && name !== 'localhost')).toEqual([]);
  });
});

test('hosts that the operator allows are found as this machine finds them', async () => {
  expect(await resolveLocally('localhost', patient())).toEqual(expect.arrayContaining(['127.0.0.1']));
  await expect(resolveLocally('localhost', AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});
