import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactPath, redactQuery } from '../../api/audit/redact.ts';
import { hashSecret, makeApiKey } from '../../sql/org/api-key.ts';
import { anyCharacter } from '../support/characters.ts';
import { makeKey } from '../support/organisation.ts';
import { expectProblem, withKey } from '../support/requests.ts';
import type { ServiceResponse } from '../support/service.ts';
import { JSON_BODY, requestId, serveAudited } from './audited-service.ts';

/** The audit log and keys: calls with invalid ones are recorded, and none is ever written down. */

const audit = serveAudited();
const { entries, send, unattributedRows } = audit;

describe('invalid keys', () => {
  test('revoked and expired: in the log of the audit.organisation, with the key', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    for (const end of [{ revokedAt: past }, { expiresAt: past }]) {
      const ended = await makeKey(audit.store, audit.organisation, end);
      const response = await send('GET', '/v1/units?limit=1', withKey(ended.text));
      expectProblem(response, 401, 'INVALID_API_KEY');
      const id = requestId(response);
      const written = async () => (await entries()).find((entry: { requestId: string }) => entry.requestId === id);
      await expect.poll(written).toMatchObject({
        status: 401,
        schluesselId: ended.row.id,
        schluesselPraefix: ended.row.prefix,
        abfrage: 'limit=1',
      });
    }
  });

  test('a wrong secret after a known prefix is in the log of the audit.organisation, without the key', async () => {
    const other = await makeKey(audit.store, audit.organisation, { secretHash: hashSecret('another secret') });
    const response = await send('GET', '/v1/units', withKey(other.text));
    expectProblem(response, 401, 'INVALID_API_KEY');
    expect(await entries()).toMatchObject([
      { status: 401, requestId: requestId(response), schluesselId: null, schluesselPraefix: other.row.prefix },
    ]);
  });

  test('an unknown prefix, no audit.key, or a malformed one is in no organisation’s log', async () => {
    const unknown = makeApiKey('test');
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const responses = [
      await send('GET', '/v1/units', { ...from('192.0.2.1'), ...withKey(unknown.text) }),
      await send('GET', '/v1/units', { ...from('192.0.2.2'), Authorization: '' }),
      await send('GET', '/v1/units', { ...from('192.0.2.3'), ...withKey('nonsense') }),
      await send(
        'DELETE',
        '/v1/portfolio',
        { ...JSON_BODY, ...from('192.0.2.4'), ...withKey(unknown.text) },
        '{"mastrNummern":[]}',
      ),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    await sleep(200);
    const rows = await unattributedRows(responses.map(requestId));
    expect(rows.map(({ requestId: id, status, keyId, keyPrefix }) => [id, status, keyId, keyPrefix]).sort()).toEqual(
      responses
        .map((call, index) => [requestId(call), 401, null, [0, 3].includes(index) ? unknown.prefix : null])
        .sort(),
    );
    expect(await entries()).toEqual([]);
  });
});

describe('many calls with invalid keys', () => {
  const times = (count: number, call: () => Promise<ServiceResponse>) =>
    Promise.all(Array.from({ length: count }, call));

  test('a wrong secret after a known prefix: one entry a minute, from however many addresses', async () => {
    const other = await makeKey(audit.store, audit.organisation, { secretHash: hashSecret('another secret') });
    let address = 0;
    const responses = await times(30, () =>
      send('GET', '/v1/units', { 'X-Forwarded-For': `198.51.100.${address++}`, ...withKey(other.text) }),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await entries()).toMatchObject([{ status: 401, schluesselPraefix: other.row.prefix }]);
  });

  test('from one address, with many prefixes or none: one row a minute, in no organisation’s log', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.9' };
    const responses = [
      ...(await times(15, () => send('GET', '/v1/units', { ...from, ...withKey(makeApiKey('test').text) }))),
      ...(await times(15, () => send('GET', '/v1/units', { ...from, Authorization: '' }))),
    ];
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    await sleep(200);
    expect(await unattributedRows(responses.map(requestId))).toHaveLength(1);
    expect(await entries()).toEqual([]);
  });
});

describe('keys are never recorded', () => {
  const { text, prefix, secret } = makeApiKey('live');
  const shown = `mds_live_${prefix}_***`;

  test.each([
    [`suche=${text}`, `suche=${shown}`],
    [`suche=Bearer%20${text}&x=1`, `suche=Bearer%20${shown}&x=1`],
    [`${text}=1`, `${shown}=1`],
    [text, shown],
    [`suche=${text.replaceAll('_', '%5F')}`, `suche=${shown}`],
    [`suche=${text.replaceAll('_', '%255f')}`, `suche=${shown}`],
    [`suche=%6Dds${text.slice(3)}`, `suche=${shown}`],
    [`suche=${text.slice(0, -10)}`, `suche=${shown}`],
    [`a=1=${text}`, `a=${encodeURIComponent('1=')}${shown}`],
    [`apiKey=${secret}`, 'apiKey=***'],
    [`api%4Bey=${secret}`, 'api%4Bey=***'],
    [`x-api-key=${secret}&PASSWORD=x`, 'x-api-key=***&PASSWORD=***'],
    [`access_token=${secret}&clientSecret=`, 'access_token=***&clientSecret=***'],
    ['keyPrefix=abcdefgh&syncToken=xyz', 'keyPrefix=abcdefgh&syncToken=xyz'],
    ['ort=K%C3%B6ln&%zz=%ff&a+b', 'ort=K%C3%B6ln&%zz=%ff&a+b'],
  ])('?%s is kept as %s', (query, kept) => {
    expect(redactQuery(query)).toBe(kept);
  });

  test('nor by a path', () => {
    expect(redactPath(`/v1/units/${text}`)).toBe(`/v1/units/${shown}`);
    expect(redactPath(`/v1/units/${text.replaceAll('_', '%5f')}/x`)).toBe(`/v1/units/${shown}/x`);
    expect(redactPath('/v1/units/K%C3%B6ln%2F%ff')).toBe('/v1/units/K%C3%B6ln%2F%ff');
  });

  test('recorded texts are short, and printable for any input', () => {
    expect(redactQuery('')).toBeNull();
    expect(redactQuery(`a=${'%25'.repeat(20_000)}`)).toHaveLength(2_000);
    expect(redactPath(`/${'a'.repeat(5_000)}`)).toHaveLength(1_000);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (name, value) => {
        const query = `${encodeURIComponent(name)}=${text}${encodeURIComponent(value)}`;
        expect(redactQuery(query)).toMatch(/^[\x21-\x7e]*$/);
        expect(redactQuery(query)).not.toContain(secret);
        expect(redactPath(`/${query}`)).toMatch(/^[\x21-\x7e]*$/);
        expect(redactPath(`/${query}`)).not.toContain(secret);
      }),
    );
  });

  test('over HTTP: neither in the query nor in the path of an entry', async () => {
    const encoded = text.replaceAll('_', '%5F');
    await send('GET', `/v1/units?suche=${encoded}&${encoded}&apiKey=${secret}`);
    await send('GET', `/v1/units/${encoded}`);
    await send('GET', `/v1/${encoded}/x?token=${secret}`);
    await send('POST', `/v1/portfolio?a=${text}`, JSON_BODY, '{"entries":[]}');
    const kept = await entries();
    expect(kept.map(({ pfad, abfrage }) => [pfad, abfrage])).toEqual([
      ['/v1/units', `suche=${shown}&${shown}&apiKey=***`],
      [`/v1/units/${shown}`, null],
      [`/v1/${shown}/x`, 'token=***'],
      ['/v1/portfolio', `a=${shown}`],
    ]);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });
});
