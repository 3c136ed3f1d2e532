import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../../api/access/caller.ts';
import { portalLinks } from '../../api/access/portal-links.ts';
import { putOrganisation } from '../../sql/org/organisations.ts';
import { sql } from '../../sql/org/statement.ts';
import { deliveryOf, settleDelivery } from '../support/deliveries.ts';
import { storeAlertEvent } from '../support/events.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { linkAt, openPortal, type PortalLink, proofOn } from '../support/portal.ts';
import { withKey } from '../support/requests.ts';
import { type OwnSubject, serveOwnFixture } from '../support/service.ts';
import { makeEndpoint } from '../support/webhooks.ts';
import { fillDeliveryLog, words } from './delivery-log.ts';

/** The delivery log over HTTP: who gets a link, what its pages show, what its forms do, and what is refused. */

const SIGNING_KEY = 'a key that signs the links of this test';

let service: OwnSubject;
const logged: string[] = [];
let good: string;
let failing: string;
let deliveries: string[];

beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  service = await serveOwnFixture({ SIGNING_KEY, METRICS_PORT: '0' }, undefined, log);
  ({ good, failing, deliveries } = await fillDeliveryLog(service));
});
afterAll(() => service.stop());

const stateOf = async (id: string) =>
  service.store.asOperator((session) =>
    session.row(
      z.strictObject({ state: z.string(), attempts: z.int() }),
      sql`SELECT state, attempts FROM webhook_deliveries WHERE id = ${id}::uuid`,
    ),
  );

const keyWith = async (...scopes: string[]) => makeKey(service.store, service.organisation, { scopes });

describe('POST /v1/webhooks/portal', () => {
  test('gives a link that is valid 15 minutes, with what the key may do', async () => {
    const before = Date.now();
    const { json, headers } = await service.send('POST', '/v1/webhooks/portal');
    expect(json.data.url).toMatch(new RegExp(`^${service.url}/portal/[\\w-]{100,}$`));
    const validMs = Date.parse(json.data.expiresAt) - before;
    expect(validMs).toBeGreaterThanOrEqual(15 * 60_000);
    expect(validMs).toBeLessThan(16 * 60_000);
    expect(json.meta).toEqual({ capabilities: ['view_delivery_log', 'replay_message'], grantedBy: 'webhooks:manage' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('takes an empty object for no body, and nothing else', async () => {
    const headers = { ...withKey(service.key), 'Content-Type': 'application/json' };
    const send = (body: string | null) => service.send('POST', '/v1/webhooks/portal', { headers, body });
    for (const body of [null, '', '{}']) expect((await send(body)).status).toBe(200);
    expect((await send('{"app":"x"}')).status).toBe(400);
  });

  test('with webhooks:read alone it only lets read', async () => {
    const { text } = await keyWith('webhooks:read');
    const { json } = await service.send('POST', '/v1/webhooks/portal', { headers: withKey(text) });
    expect(json.meta).toEqual({ capabilities: ['view_delivery_log'], grantedBy: 'webhooks:read' });
  });

  test('needs webhooks:read, and gives another link each time', async () => {
    const { text } = await keyWith('webhooks:manage');
    const refused = await service.send('POST', '/v1/webhooks/portal', { headers: withKey(text) });
    expect([refused.status, refused.json.code]).toEqual([403, 'MISSING_SCOPE']);
    expect((await openPortal(service)).url).not.toBe((await openPortal(service)).url);
  });
});

describe('the pages', () => {
  let link: PortalLink;
  beforeAll(async () => {
    link = await openPortal(service);
  });

  test('begin with how the endpoints do, and what is due next', async () => {
    const page = await link.open();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const shown = words(page.text);
    expect(shown).toMatch(/Leitstand Aktiv https:\S+ Zuletzt angekommen 15\.03\.2026, 00:30:00/);
    expect(shown).toMatch(/kaputt\.example\/hook Gestört .* Scheitert seit 10\.03\.2026, 09:00:00/);
    expect(shown).toContain('1 ausstehend 1 fehlgeschlagen 1 ausgelassen');
    expect(shown).toMatch(/Als Nächstes fällig .* in 59 Minuten \S+, \S+ Förderende/);
  });

  test('list the messages of an endpoint, of a state, and of a day in Germany', async () => {
    const listed = async (query: string) => {
      const { text } = await link.open(`/messages?${query}`);
      return [...text.matchAll(/<tr>\s*<td.*?href="messages\/([^"]+)"/gs)].map(([, id]) => id);
    };
    expect(await listed('')).toHaveLength(6);
    expect((await listed(`endpoint=${failing}`)).toSorted()).toEqual(deliveries.toSorted());
    expect(await listed('state=FAILED')).toEqual([deliveries[0]]);
    expect(await listed(`endpoint=${good}&state=FAILED`)).toEqual([]);
    // Half past eleven at night UTC belongs to the next day there.
    expect(await listed('day=2026-03-15')).toEqual([deliveries[0]]);
    expect(await listed('day=2026-03-14')).toEqual([deliveries[1]]);
    expect(await listed(`endpoint=${failing}&state=&day=`)).toHaveLength(3);
  });

  test('show a message with every attempt, the answer as text, and what was sent', async () => {
    const { text } = await link.open(`/messages/${deliveries[0]}`);
    const shown = words(text);
    expect(text).toContain('Windräder &lt;b&gt;Cuxhaven&lt;/b&gt;');
    expect(shown).toMatch(
      /2\. 15\.03\.2026, 00:30:05 HTTP 503 1,3 s .*1\. 15\.03\.2026, 00:30:00 Keine Antwort 15,0 s/,
    );
    expect(shown).toContain('no answer within 15 seconds');
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; mehr');
    expect(text).not.toContain('<script');
    expect(shown).toMatch(/matchCount&quot; : 1200/);
  });

  test('carry no script, no secret, and headers that keep them to their reader', async () => {
    for (const path of ['', '/messages', `/messages/${deliveries[0]}`]) {
      const { text, headers } = await link.open(path);
      expect(text).not.toMatch(/<script|whsec_| (?:style|on\w+)=|(?:src|href)="(?:https?:)?\/\//);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-robots-tag')).toContain('noindex');
      expect(headers.get('link')).toBeNull();
      const head = await link.open(path, { method: 'HEAD' });
      expect([head.status, head.text]).toEqual([200, '']);
    }
  });

  test('link to pages and files that exist', async () => {
    for (const path of ['', '/messages', `/messages/${deliveries[0]}`]) {
      const { text } = await link.open(path);
      for (const [, target] of text.matchAll(/ href="([^"#]*)"/g)) {
        const address = new URL(target!.replaceAll('&amp;', '&'), link.url + path);
        expect([target, (await fetch(address)).status]).toEqual([target, 200]);
      }
    }
  });

  test('go on page by page, each message once', async () => {
    const { store } = service;
    const organisation = await makeOrganisation(store);
    const endpoint = await makeEndpoint(store, organisation.id);
    const ids: string[] = [];
    for (let count = 0; count < 53; count++) {
      const { id } = await storeAlertEvent(store, organisation);
      ids.push(await deliveryOf(store, id, endpoint.id));
    }
    const own = await openPortal(service, (await makeKey(store, organisation)).text);
    const seen: string[] = [];
    let next: string | undefined = '/messages?state=PENDING';
    while (next !== undefined) {
      const { text } = await own.open(next);
      seen.push(...[...text.matchAll(/<a href="messages\/([^"]+)"/g)].map(([, id]) => id!));
      const target = /<a href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      next = target === undefined ? undefined : `/${target}`;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test('say what an address means that leads nowhere', async () => {
    const cases = [
      ['/messages/019a0f6e-7c1b-7d52-9f0e-00000000a001', 404, 'Diese Nachricht gibt es nicht mehr'],
      ['/messages/x', 404, 'Diese Nachricht gibt es nicht mehr'],
      ['/messages?endpoint=019a0f6e-7c1b-7d52-9f0e-00000000a001', 404, 'Diesen Endpunkt gibt es nicht mehr'],
      ['/messages?state=WRONG', 400, 'Diese Anfrage ist unverständlich'],
      ['/messages?day=0000-01-01', 400, 'Diese Anfrage ist unverständlich'],
      ['/messages?cursor=altered', 400, 'Diese Anfrage ist unverständlich'],
      ['?unknown=1', 400, 'Diese Anfrage ist unverständlich'],
    ] as const;
    for (const [path, status, title] of cases) {
      const page = await link.open(path);
      expect([path, page.status]).toEqual([path, status]);
      expect(page.text).toContain(`<h1>${title}</h1>`);
    }
  });

  test('show nothing of another organisation', async () => {
    const other = await makeOrganisation(service.store);
    const foreign = await openPortal(service, (await makeKey(service.store, other)).text);
    expect(words((await foreign.open()).text)).toContain('Es gibt noch keinen Endpunkt');
    expect((await foreign.open(`/messages?endpoint=${good}`)).status).toBe(404);
    expect((await foreign.open(`/messages/${deliveries[0]}`)).status).toBe(404);
  });
});

describe('the forms', () => {
  const since = { since: '2026-03-14T00:00' };

  test('send one message again, and say so once they are back on its page', async () => {
    const link = await openPortal(service);
    const path = `/messages/${deliveries[0]}`;
    const proof = proofOn(await link.open(path));
    const sent = await link.send(`${path}/replay`, { proof });
    expect(sent.status).toBe(303);
    const page = await fetch(new URL(sent.headers.get('location')!, `${link.url}${path}/replay`));
    expect(words(await page.text())).toContain('Eine Nachricht wird noch einmal gesendet.');
    expect(await stateOf(deliveries[0]!)).toEqual({ state: 'PENDING', attempts: 0 });
    await settleDelivery(service.store, deliveries[0]!, { state: 'FAILED' });
  });

  test('send again all that has not arrived since a moment, of one endpoint or of all', async () => {
    const link = await openPortal(service);
    const proof = proofOn(await link.open());
    const told = async (fields: Record<string, string>) => {
      const { headers } = await link.send('/replay', { proof, ...fields });
      return words(await (await fetch(new URL(headers.get('location')!, `${link.url}/replay`))).text());
    };
    expect(await told({ ...since, endpoint: good })).toContain('nichts fehlgeschlagen oder ausgelassen');
    expect(await told({ since: '2026-03-15T00:00', endpoint: '' })).toContain('Eine Nachricht wird noch einmal');
    expect(await told({ ...since, endpoint: failing })).toContain('Eine Nachricht wird noch einmal gesendet');
    expect(await stateOf(deliveries[1]!)).toEqual({ state: 'PENDING', attempts: 0 });
    await settleDelivery(service.store, deliveries[0]!, { state: 'FAILED' });
  });

  test('send nothing to an endpoint that is disabled', async () => {
    const { store, organisation } = service;
    const disabled = { disabled: true, disabledReason: 'MANUAL', disabledAt: '2026-03-01T00:00:00.000Z' } as const;
    const endpoint = await makeEndpoint(store, organisation.id, disabled);
    const event = await storeAlertEvent(store, organisation);
    const id = await deliveryOf(store, event.id, endpoint.id);
    const link = await openPortal(service);
    const page = await link.open(`/messages/${id}`);
    expect(words(page.text)).toContain('Der Endpunkt ist abgeschaltet.');
    expect(proofOn(page)).toBe('');
    const sent = await link.send('/replay', { ...since, endpoint: endpoint.id, proof: proofOn(await link.open()) });
    const after = await fetch(new URL(sent.headers.get('location')!, `${link.url}/replay`));
    expect(words(await after.text())).toContain('der Endpunkt ist abgeschaltet');
    expect((await stateOf(id))?.state).toBe('SKIPPED');
  });

  test('are refused without their proof, with one of another link or message, and from other sites', async () => {
    const link = await openPortal(service);
    const other = await openPortal(service);
    const path = `/messages/${deliveries[0]}`;
    const proof = proofOn(await link.open(path));
    const refused = [
      await link.send(`${path}/replay`, {}),
      await link.send(`${path}/replay`, { proof: proofOn(await other.open(path)) }),
      await link.send(`${path}/replay`, { proof: proofOn(await link.open()) }),
      await link.send(`/messages/${deliveries[2]}/replay`, { proof }),
      await link.send(`${path}/replay`, { proof }, { 'Sec-Fetch-Site': 'cross-site' }),
      await link.send(`${path}/replay`, { proof }, { Origin: 'https://elsewhere.example' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect(await stateOf(deliveries[0]!)).toEqual({ state: 'FAILED', attempts: 0 });
  });

  test('are neither shown nor obeyed without webhooks:manage', async () => {
    const { text, row } = await keyWith('webhooks:read');
    const link = await openPortal(service, text);
    const path = `/messages/${deliveries[0]}`;
    for (const page of [await link.open(), await link.open(path)]) expect(page.text).not.toContain('method="post"');
    // Whoever knows how proofs are made still has no right.
    const links = portalLinks(SIGNING_KEY, service.store);
    const proof = links.proof(links.read(link.token), deliveries[0]!);
    const sent = await link.send(`${path}/replay`, { proof });
    expect([sent.status, row.scopes]).toEqual([403, ['webhooks:read']]);
    expect((await stateOf(deliveries[0]!))?.state).toBe('FAILED');
  });

  test('take a form and nothing else, of a few fields', async () => {
    const link = await openPortal(service);
    const post = (body: string, type: string) =>
      link.open('/replay', { method: 'POST', body, headers: { 'Content-Type': type } });
    expect((await post('{}', 'application/json')).status).toBe(415);
    expect((await post(`proof=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).status).toBe(413);
    expect((await post('since=1&since=2', 'application/x-www-form-urlencoded')).status).toBe(400);
    const proof = proofOn(await link.open());
    for (const wrong of ['gestern', '2026-03-14', '2026-99-99T00:00', '0000-01-01T00:00'])
      expect([wrong, (await link.send('/replay', { proof, since: wrong })).status]).toEqual([wrong, 400]);
  });
});

describe('a link', () => {
  const closed = async (link: PortalLink) => {
    const page = await link.open();
    expect(page.status).toBe(410);
    expect(page.text).toContain('<h1>Dieser Link gilt nicht mehr</h1>');
    expect(page.text).toContain('POST /v1/webhooks/portal');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('x-robots-tag')).toContain('noindex');
    const style = /href="([^"]+\.css)"/.exec(page.text)![1]!;
    expect((await fetch(new URL(style, link.url))).status).toBe(200);
  };

  test('does not hold when it was altered, cut off, or signed elsewhere', async () => {
    const { url, token } = await openPortal(service);
    const turned = token.startsWith('A') ? 'B' : 'A';
    const caller = { key: { id: token, prefix: 'x' }, organisation: service.organisation } as unknown as Caller;
    const elsewhere = portalLinks('another key that signs', service.store).make(caller, true);
    for (const wrong of [turned + token.slice(1), token.slice(0, -1), `${token}A`, 'x', elsewhere.token])
      await closed(linkAt(url.replace(token, wrong)));
  });

  test('does not hold after 15 minutes', async () => {
    const { url, token } = await openPortal(service);
    const links = portalLinks(SIGNING_KEY, service.store);
    const { keyId, keyPrefix } = links.read(token);
    const caller = { key: { id: keyId, prefix: keyPrefix }, organisation: service.organisation } as unknown as Caller;
    const at = (ago: number) => portalLinks(SIGNING_KEY, service.store, () => Date.now() - ago).make(caller, true);
    expect((await linkAt(url.replace(token, at(14 * 60_000).token)).open()).status).toBe(200);
    await closed(linkAt(url.replace(token, at(15 * 60_000).token)));
  });

  test('does not outlive the key, its scope, the module, or the organisation', async () => {
    const { store, organisation } = service;
    const change = (statement: ReturnType<typeof sql>) => store.asOperator((session) => session.run(statement));
    const revoked = await keyWith('webhooks:read');
    const narrowed = await keyWith('webhooks:read');
    const links = [await openPortal(service, revoked.text), await openPortal(service, narrowed.text)];
    for (const link of links) expect((await link.open()).status).toBe(200);
    await change(sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${revoked.row.id}::uuid`);
    await change(sql`UPDATE api_keys SET scopes = '{units:read}' WHERE id = ${narrowed.row.id}::uuid`);
    for (const link of links) await closed(link);

    const other = await makeOrganisation(store);
    const link = await openPortal(service, (await makeKey(store, other)).text);
    await store.asOperator((session) => session.run(putOrganisation({ ...other, modules: [] })));
    await closed(link);
    await change(sql`DELETE FROM organisations WHERE id = ${other.id}::uuid`);
    await closed(link);
    expect(organisation.modules).toContain('api');
  });

  test('loses the right to send again with its key, and with webhooks of the organisation', async () => {
    const { text, row } = await keyWith('webhooks:read', 'webhooks:manage');
    const link = await openPortal(service, text);
    expect(proofOn(await link.open())).not.toBe('');
    await service.store.asOperator((session) =>
      session.run(sql`UPDATE api_keys SET scopes = '{webhooks:read}' WHERE id = ${row.id}::uuid`),
    );
    expect(proofOn(await link.open())).toBe('');

    const other = await makeOrganisation(service.store, { limits: { webhooksEnabled: false } });
    await makeEndpoint(service.store, other.id);
    const { text: key } = await makeKey(service.store, other);
    const { json } = await service.send('POST', '/v1/webhooks/portal', { headers: withKey(key) });
    expect(json.meta).toEqual({ capabilities: ['view_delivery_log'], grantedBy: 'webhooks:read' });
    expect(words((await linkAt(json.data.url).open()).text)).toContain('Es wird nichts gesendet');
  });

  test('allows so many pages a minute', async () => {
    const link = await openPortal(service);
    const statuses: number[] = [];
    while (statuses.length < 200 && statuses.at(-1) !== 429) statuses.push((await link.open()).status);
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(60);
    expect((await (await openPortal(service)).open()).status).toBe(200);
  });

  test('leaves no trace in log, audit and metrics, which name the key that it was made with', async () => {
    const { text, row } = await keyWith('webhooks:read', 'audit:read');
    const link = await openPortal(service, text);
    const { token } = link;
    await link.open();
    await link.open('/messages?state=WRONG');
    for (const path of [
      `/portal/${token}x`,
      `/%70ortal/${token}`,
      `/portal/${token}/nothing`,
      `/v1/units/portal/${token}`,
    ])
      await fetch(service.url + path, { headers: { 'X-Request-Id': link.url, Authorization: `Bearer ${text}` } });
    const units = await service.get(`/v1/units?suche=${encodeURIComponent(link.url)}&x=1`, withKey(text));
    expect(units.text).not.toContain(token);
    await expect
      .poll(async () => (await service.get(`/v1/audit-log?keyPrefix=${row.prefix}`, withKey(text))).json.data)
      .toContainEqual(expect.objectContaining({ pfad: '/portal/***/messages', methode: 'GET', status: 400 }));
    const trail = (await service.get(`/v1/audit-log?keyPrefix=${row.prefix}`, withKey(text))).text;
    const metrics = await (await fetch(service.metricsUrl!)).text();
    for (const kept of [trail, metrics, logged.join('')]) expect(kept).not.toContain(token.slice(0, 30));
    expect(metrics).toContain('operation="portal.overview"');
    expect(logged.join('')).toContain('"path":"/portal/***"');
  });
});
