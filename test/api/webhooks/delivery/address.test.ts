import { BlockList } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AddressPolicy, addressPolicy } from '../../../../api/webhooks/delivery/address.ts';
import { refusalOfAddress } from '../../../../api/webhooks/delivery/public-ranges.ts';
import type { Resolver } from '../../../../api/webhooks/delivery/resolvers.ts';
import { send } from '../../../../api/webhooks/delivery/send.ts';
import { readSettings } from '../../../../runtime/settings.ts';
import { cases } from '../../../support/cases.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';
import { FORBIDDEN_URLS, SPELLINGS } from './forbidden.ts';

/** Answers every question with these addresses, in turn; the last one stays. */
const resolving = (...turns: readonly (readonly string[])[]): Resolver & { asked: string[] } => {
  const asked: string[] = [];
  const resolver: Resolver = async (host) => turns[Math.min(asked.push(host), turns.length) - 1] ?? [];
  return Object.assign(resolver, { asked });
};

const policy = (allowedHosts: string, publicly: Resolver, locally: Resolver = publicly): AddressPolicy =>
  addressPolicy(readSettings({ WEBHOOK_ALLOWED_HOSTS: allowedHosts }), { publicly, locally });

const message = { id: 'evt_1', body: '{}', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] };

const connect = (url: string, addresses: AddressPolicy) => send({ ...message, url }, { addresses, timeoutMs: 2000 });

/** The answer of an endpoint's operations to a text as its url. */
async function refusalWhenSet(text: string, addresses: AddressPolicy): Promise<string | null> {
  const url = URL.parse(text);
  return url === null ? 'no URL' : addresses.refusalOf(url);
}

/** Every name is public, so that nothing is refused for what it resolves to. */
const PUBLIC_NAMES = policy('', resolving(['93.184.216.34']));

test('the table has at least 100 spellings', () => expect(SPELLINGS.length).toBeGreaterThan(150));

describe.each([...SPELLINGS.map(([host]) => `https://${host}/hook`), ...FORBIDDEN_URLS])('%j', (text) => {
  test('is refused when an endpoint is set', async () => {
    expect(await refusalWhenSet(text, PUBLIC_NAMES)).toEqual(expect.any(String));
  });

  test('is refused when connecting', async () => {
    expect(await connect(text, PUBLIC_NAMES)).toMatchObject({
      error: expect.stringMatching(/^While resolving the host: ./),
    });
  });
});

test.each([
  'https://8.8.8.8/',
  'https://8.8.8.8:8443/hook',
  'https://134744072/',
  'https://1.1.1.1./',
  'https://126.255.255.255/',
  'https://128.0.0.1/',
  'https://172.15.255.255/',
  'https://172.32.0.1/',
  'https://100.63.255.255/',
  'https://100.128.0.1/',
  'https://223.255.255.255/',
  'https://[2606:4700:4700::1111]/',
  'https://[2a01:4f8::1]:8443/',
  'https://[2001:4860:4860::8888]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::8.8.8.8]/',
  'https://hooks.example.org/',
  'https://HOOKS.example.org./',
  'https://bücher.example.org/haken?a=b',
  'https://localhost.example.org/',
  'https://internal.example.org/',
  'https://10.0.0.1.example.org/',
])('%s may be called', async (text) => {
  const url = new URL(text);
  expect(await PUBLIC_NAMES.refusalOf(url)).toBeNull();
  expect(await PUBLIC_NAMES.resolve(url, AbortSignal.timeout(1000))).toHaveLength(1);
});

describe('ranges', () => {
  /** The registries of the IANA, a second way to what ipaddr.js and our additions say. */
  const special = new BlockList();
  const NETWORKS = [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.31.196.0', 24],
    ['192.52.193.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['192.175.48.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
    ['168.63.129.16', 32],
  ] as const;
  for (const [network, bits] of NETWORKS) special.addSubnet(network, bits);

  const dotted = (number: number): string => [24, 16, 8, 0].map((bits) => (number >>> bits) & 0xff).join('.');
  const numberOf = (address: string): number =>
    address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
  const edges = NETWORKS.flatMap(([network, bits]) => {
    const first = numberOf(network);
    const last = first + 2 ** (32 - bits) - 1;
    return [first - 1, first, last, last + 1].filter((number) => number >= 0 && number < 2 ** 32);
  });
  const inHex = (number: number): string => `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;

  test('an IPv4 address is public exactly when no registry has it, also inside an IPv6 address', () => {
    const anyAddress = fc.oneof(fc.constantFrom(...edges), fc.nat(2 ** 32 - 1));
    fc.assert(
      fc.property(anyAddress, (number) => {
        const address = dotted(number);
        const isPublic = !special.check(address);
        expect(refusalOfAddress(address) === null).toBe(isPublic);
        for (const prefix of ['::ffff:', '64:ff9b::']) {
          expect(refusalOfAddress(`${prefix}${address}`) === null).toBe(isPublic);
          expect(refusalOfAddress(`${prefix}${inHex(number)}`) === null).toBe(isPublic);
        }
        for (const prefix of ['::', '::ffff:0:', '64:ff9b:1::', '2001::', 'fd00::', 'fe80::', 'ff0e::', '2001:db8::']) {
          expect(refusalOfAddress(`${prefix}${address}`)).not.toBeNull();
        }
        expect(refusalOfAddress(`2002:${inHex(number)}::1`)).toBe('6to4');
      }),
      { numRuns: cases(500) },
    );
  });

  test('an IPv6 address outside of 2000::/3 is never public, unless it leads to an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const host = new URL(`https://[${address}]`).hostname;
        fc.pre(!/^\[([23][0-9a-f]{3}:|::ffff:|64:ff9b::)/.test(host));
        expect(refusalOfAddress(address)).not.toBeNull();
      }),
      { numRuns: cases(500) },
    );
  });

  test('zones, and what is no address, are refused', () => {
    expect(refusalOfAddress('2606:4700::1%eth0')).toBe('link-local');
    expect(refusalOfAddress('hooks.example.org')).toBe('no address');
    expect(refusalOfAddress('0x08080808')).toBe('no address');
  });
});

describe('a name', () => {
  test.each([
    [['10.0.0.1']],
    [['93.184.216.34', '10.0.0.1']],
    [['93.184.216.34', '::1']],
    [['fe80::1', '93.184.216.34']],
    [['93.184.216.34', '::ffff:127.0.0.1']],
    [['2606:4700::1', '64:ff9b::7f00:1']],
    [['something else']],
  ])('that leads to %j is refused, set and connecting', async (addresses) => {
    const checked = policy('', resolving(addresses));
    const refusal = /^hooks\.example\.org resolves to an address that is not public \([\w\d -]+\)$/;
    expect(await checked.refusalOf(new URL('https://hooks.example.org/'))).toMatch(refusal);
    expect(await connect('https://hooks.example.org/', checked)).toMatchObject({
      error: expect.stringContaining('resolves to an address that is not public'),
    });
  });

  test('is refused without telling where it leads', async () => {
    const refusal = await policy('', resolving(['10.11.12.13'])).refusalOf(new URL('https://hooks.example.org/'));
    expect(refusal).not.toContain('10.11');
  });

  test.each([
    ['that has no addresses', resolving([])],
    ['that does not exist', () => Promise.reject(new Error('queryA ENOTFOUND'))],
  ])('%s is refused, set and connecting', async (_what, resolver: Resolver) => {
    const checked = policy('', resolver);
    const text = 'hooks.example.org cannot be resolved';
    expect(await checked.refusalOf(new URL('https://hooks.example.org/'))).toBe(text);
    expect(await connect('https://hooks.example.org/', checked)).toMatchObject({
      error: `While resolving the host: ${text}`,
    });
  });

  test('whose name server is silent ends with the time of the attempt', async () => {
    const silent: Resolver = (_host, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const sent = await send(
      { ...message, url: 'https://hooks.example.org/' },
      { addresses: policy('', silent), timeoutMs: 50 },
    );
    expect(sent).toMatchObject({ error: 'While resolving the host: 0.05 seconds were over' });
  });
});

describe('connecting', () => {
  const NAME = 'hooks.example.org';
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver({ hosts: [NAME] });
  });
  afterAll(() => receiver.stop());
  const url = () => `https://${NAME}:${new URL(receiver.url).port}/hook`;

  test('a name that leads elsewhere after it was set is refused, and nothing is called', async () => {
    const resolver = resolving(['93.184.216.34'], ['127.0.0.1']);
    const changing = policy('', resolver);
    expect(await changing.refusalOf(new URL(url()))).toBeNull();
    expect(await connect(url(), changing)).toMatchObject({ error: expect.stringContaining('not public (loopback)') });
    expect(resolver.asked).toHaveLength(2);
    expect(receiver.deliveries).toEqual([]);
  });

  test('goes to the address that was checked: the name is asked for once, and by nobody else', async () => {
    const locally = resolving(['127.0.0.1'], ['127.0.0.2']);
    expect(await connect(url(), policy(NAME, resolving([]), locally))).toMatchObject({ status: 204 });
    expect(locally.asked).toEqual([NAME]);
    expect(receiver.deliveries).toHaveLength(1);
    expect(receiver.deliveries[0]?.headers.host).toBe(new URL(url()).host);
  });

  test('goes on with the next address when one refuses', async () => {
    const locally = resolving(['127.0.0.9', '127.0.0.1']);
    expect(await connect(url(), policy(NAME, resolving([]), locally))).toMatchObject({ status: 204 });
  });
});

test('a host whose addresses all refuse the connection tells of each', async () => {
  const gone = await startReceiver();
  await gone.stop();
  const { port } = new URL(gone.url);
  const locally = resolving(['127.0.0.8', '127.0.0.9']);
  const sent = await connect(`https://hooks.internal:${port}/`, policy('hooks.internal', resolving([]), locally));
  const refusal = (address: string) => `connect ECONNREFUSED ${address}:${port}`;
  expect(sent).toMatchObject({ error: `While connecting: ${refusal('127.0.0.8')}; ${refusal('127.0.0.9')}` });
});

describe('WEBHOOK_ALLOWED_HOSTS', () => {
  const refusal = (allowed: string, url: string) => policy(allowed, resolving(['10.0.0.1'])).refusalOf(new URL(url));

  test.each([
    ['hooks.internal', 'https://hooks.internal/'],
    ['hooks.internal', 'https://hooks.internal:8443/'],
    ['Hooks.Internal.', 'https://hooks.internal/'],
    ['hooks.internal', 'https://HOOKS.internal./'],
    ['hooks.internal:443', 'https://hooks.internal/'],
    ['hooks.internal:8443', 'https://hooks.internal:8443/'],
    ['a.example, 10.0.0.1:8443 ,b.example', 'https://10.0.0.1:8443/'],
    ['10.0.0.1', 'https://167772161/'],
    ['::1', 'https://[::1]:8443/'],
    ['[::1]', 'https://[0:0:0:0:0:0:0:1]/'],
    ['[fd00::1]:8443', 'https://[fd00::1]:8443/'],
    ['bücher.internal', 'https://xn--bcher-kva.internal/'],
    ['localhost', 'https://localhost:1/'],
  ])('%j allows %s', async (allowed, url) => expect(await refusal(allowed, url)).toBeNull());

  test.each([
    ['hooks.internal', 'https://other.internal/'],
    ['hooks.internal', 'https://a.hooks.internal/'],
    ['hooks.internal', 'https://hooks.internal.example/'],
    ['hooks.internal:8443', 'https://hooks.internal/'],
    ['hooks.internal:443', 'https://hooks.internal:8443/'],
    ['10.0.0.1', 'https://10.0.0.2/'],
    ['hooks.example.org', 'https://10.0.0.1/'],
    ['10.0.0.1', 'https://hooks.example.org/'],
    ['hooks.internal', 'http://hooks.internal/'],
    ['hooks.internal', 'https://user@hooks.internal/'],
  ])('%j does not allow %s', async (allowed, url) => expect(await refusal(allowed, url)).toEqual(expect.any(String)));

  test('an allowed host may be set before it resolves', async () => {
    const none = resolving([]);
    expect(await policy('hooks.internal', none).refusalOf(new URL('https://hooks.internal/'))).toBeNull();
    expect(none.asked).toEqual([]);
  });

  test.each([
    'https://hooks.internal',
    'hooks.internal/path',
    '*.internal',
    '10.0.0.0/8',
    'user@hooks.internal',
    'hooks.internal:0',
    'hooks.internal:65536',
    'hooks.internal:',
    'a,,b',
    'a b',
    '[::1',
    '300.0.0.1',
  ])('%j is no list of hosts', (value) => {
    const read = () => readSettings({ WEBHOOK_ALLOWED_HOSTS: value });
    expect(read).toThrow(/WEBHOOK_ALLOWED_HOSTS: .* must list hosts such as hooks\.example\.org/);
  });
});
