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

/** Hosts as an integrator might write them, and nothing of them may be called. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'this machine': [
    '127.0.0.1',
    '127.0.0.1:8443',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '0X7F.0.0.1',
    '0177.0.0.1',
    '0177.0.0.01',
    '0x7f.0x0.0x0.0x1',
    '127.0.0.1.',
    '127.1.:443',
    '127%2e0%2e0%2e1',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '[::1]',
    '[::1]:8443',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::FFFF:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:FF9B:0:0:0:0:7F00:1]',
    '[64:ff9b:1::127.0.0.1]',
    '[64:ff9b:1:7f00:0:100::]',
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost:8443',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'api.localhost',
    'a.b.LocalHost.',
    'localhost.localdomain',
    'loopback',
  ],
  'every address of it': [
    '0.0.0.0',
    '0',
    '00',
    '0x0',
    '0.1.2.3',
    '0.0.0.0:22',
    '[::]',
    '[::ffff:0.0.0.0]',
    '[::0]',
    '[0::0]',
  ],
  'private networks': [
    '10.0.0.1',
    '10.1',
    '10.255.255.255',
    '167772161',
    '012.0.0.1',
    '0xa.0.0.1',
    '0xa000001',
    '172.16.0.1',
    '172.31.255.255',
    '2886729729',
    '192.168.0.1',
    '192.168.1',
    '192.168.257',
    '3232235521',
    '0300.0250.0.1',
    '0xc0a80001',
    '[::ffff:10.0.0.1]',
    '[::ffff:a00:1]',
    '[::ffff:192.168.0.1]',
    '[::ffff:172.16.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::c0a8:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:a00:1::1]',
    '[2002:c0a8:1::1]',
    '[2001:0:53aa:64c:0:0:f5ff:fffe]',
    '[fc00::1]',
    '[fd00::1]',
    '[FD12:3456:789A:1::1]',
    '[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]',
    '[fec0::1]',
    '[feff::1]',
  ],
  'metadata of clouds': [
    '169.254.169.254',
    '169.254.169.254:443',
    '169.254.43518',
    '2852039166',
    '0xa9fea9fe',
    '0xa9.0xfe.0xa9.0xfe',
    '0251.0376.0251.0376',
    '025177524776',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '[::ffff:168.63.129.16]',
    'metadata.google.internal',
    'metadata.google.internal.',
    'METADATA',
    'instance-data',
  ],
  'the link': ['169.254.0.1', '[fe80::1]', '[fe80::1%25eth0]', '[fe80::1%eth0]', '[febf::1]', '[::ffff:169.254.1.1]'],
  'carrier-grade translation': [
    '100.64.0.1',
    '100.127.255.255',
    '1681915905',
    '[::ffff:100.64.0.1]',
    '[64:ff9b::6440:1]',
  ],
  'many receivers at once': ['224.0.0.1', '239.255.255.250', '255.255.255.255', '4294967295', '[ff02::1]', '[ff0e::1]'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '[2001:db8::1]', '[3fff::1]', '[::ffff:203.0.113.9]'],
  'no public use': [
    '192.0.0.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '240.0.0.1',
    '[100::1]',
    '[100:0:0:1::1]',
    '[2001::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[3ffe::1]',
    '[4000::1]',
    '[5f00::1]',
    '[8000::1]',
    '[e000::1]',
    '[::2]',
  ],
  'names of a network of its own': [
    'intranet',
    'db',
    'printer.local',
    'Printer.LOCAL.',
    'ﬁle.local',
    'db.internal',
    'wiki.intranet',
    'router.home.arpa',
    'hidden.onion',
    'name.alt',
    'hook.test',
    'hook.invalid',
    'hook.example',
    'host.docker.internal',
    'kubernetes.default.svc.cluster.local',
  ],
  'what is no host': [
    '256.0.0.1',
    '1.2.3.4.5',
    '4294967296',
    '0x100000000',
    '127.0.0.1:99999',
    '[::1',
    '[::1]x',
    '[1.2.3.4]',
    '[::ffff:256.0.0.1]',
    'a..b',
    '-',
    '*',
    '.',
  ],
};

const SPELLINGS = Object.entries(FORBIDDEN).flatMap(([meaning, hosts]) =>
  hosts.map((host) => [host, meaning] as const),
);

/** URLs that are refused for something else than their host, or whose host is not where it seems to be. */
const FORBIDDEN_URLS = [
  'http://8.8.8.8/',
  'HTTP://hooks.example.org/',
  'ftp://hooks.example.org/',
  'wss://hooks.example.org/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user@hooks.example.org/',
  'https://user:word@hooks.example.org/',
  'https://:word@hooks.example.org/',
  'https://hooks.example.org@127.0.0.1/',
  'https://hooks.example.org%40127.0.0.1/',
  'https://hooks.example.org:443@127.0.0.1/',
  'https://127.0.0.1\\@hooks.example.org/',
  'https://127.0.0.1#@hooks.example.org/',
  'https://127.0.0.1?@hooks.example.org/',
  'https:127.0.0.1',
  'https:\\\\127.0.0.1\\',
  'https:///127.0.0.1/',
  'ht\ntps://127.0.0.1/',
  ' https://127.0.0.1/ ',
  'https://127.0.0.1\t/',
  'https://hooks.example.org/#part',
  'https://hooks.example.org/#',
  'hooks.example.org',
  '//hooks.example.org',
  '',
];

/** What an endpoint's operations say about a text. */
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
