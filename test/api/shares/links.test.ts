import { randomUUIDv7 } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { shareLinks } from '../../../api/access/share-links.ts';
import { drawn } from '../../../api/shares/drawing.ts';
import { withoutSecrets } from '../../../sql/org/api-key.ts';
import type { UsedShareRow } from '../../../sql/org/shares.ts';
import { shareFixture } from '../../support/shares.ts';

const SILENT = pino({ level: 'silent' });
const NO_FAILURES = { count: () => {}, mustHaveRoom: () => {} };

const usedShare = (organisationId = randomUUIDv7()): UsedShareRow => ({
  ...shareFixture(),
  organisationId,
  modules: ['api', 'analysis', 'portfolio', 'workspace', 'connection'],
  signals: [],
  trialEndsAt: null,
});

const linksTo = (rows: readonly UsedShareRow[]) => {
  let asked = 0;
  const autocommit = async (_: unknown, { values }: { readonly values: readonly unknown[] }) => {
    asked += 1;
    return rows.filter(({ id }) => values.includes(id));
  };
  const store = { autocommit, asOperator: async () => undefined } as unknown as Parameters<typeof shareLinks>[1];
  return { links: shareLinks('k', store, 240, NO_FAILURES, SILENT), asked: () => asked };
};

describe('a public link', () => {
  test('calls in the name of nobody, with modules of the register alone', () => {
    const share = usedShare();
    const caller = linksTo([share]).links.callerBy(share, '2026-11-01');
    expect(caller.organisation.id).toBe('00000000-0000-0000-0000-000000000000');
    expect([...caller.organisation.modules]).toEqual(['api', 'analysis']);
    expect([...caller.key.scopes].filter((scope) => !scope.endsWith(':read'))).toEqual([]);
    expect(JSON.stringify([caller, [...caller.key.scopes]])).not.toContain(share.organisationId);
  });

  test('holds on its last day, and not on the next', () => {
    const share = usedShare();
    const { links } = linksTo([share]);
    expect(() => links.callerBy(share, '2027-01-31')).not.toThrow();
    expect(() => links.callerBy(share, '2027-02-01')).toThrow('held until 2027-01-31');
  });

  test('is looked up once for many requests, which end where an address has had its share', async () => {
    const share = usedShare();
    const { links, asked } = linksTo([share]);
    const token = links.tokenOf(share.id);
    for (let count = 0; count < 240; count++) await links.find(token, '192.0.2.1');
    await expect(links.find(token, '192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await links.find(token, '192.0.2.2');
    expect(asked()).toBeLessThan(5);
  });

  test('has a share of its own, and all of an organisation have one together', async () => {
    const organisation = randomUUIDv7();
    const shares = Array.from({ length: 3 }, () => usedShare(organisation));
    const { links } = linksTo([...shares, usedShare()]);
    const [first, second, third] = shares.map(({ id }) => links.tokenOf(id));
    let address = 0;
    /** Requests that are answered, each from another address, until one is refused; some come back meanwhile. */
    const answered = async (token = ''): Promise<number> => {
      for (let count = 0; count < 2000; count++) {
        const refusal = await links.find(token, `address ${address++}`).then(
          () => null,
          (error) => error.code,
        );
        if (refusal !== null) return refusal === 'RATE_LIMITED' ? count : Number.NaN;
      }
      return Number.NaN;
    };
    for (const token of [first, second]) {
      const count = await answered(token);
      expect(count).toBeGreaterThanOrEqual(1100);
      expect(count).toBeLessThan(1900);
    }
    expect(await answered(third)).toBeLessThan(600);
  });

  test('of another service, or of no row, is none', async () => {
    const share = usedShare();
    const { links } = linksTo([]);
    await expect(links.find(links.tokenOf(share.id), 'a')).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    for (const token of ['', 'x', `${links.tokenOf(share.id)}=`, links.tokenOf('no id')]) {
      await expect(links.find(token, 'a')).rejects.toMatchObject({ code: 'LINK_EXPIRED' });
    }
  });

  test('is taken out of texts', () => {
    const { links } = linksTo([]);
    const token = links.tokenOf(randomUUIDv7());
    for (const text of [`/share/${token}`, `https://e.example/SHARE//${token}/bild.svg?x`, `see "/share/${token}"`]) {
      expect(withoutSecrets(text)).not.toContain(token.slice(0, 20));
    }
    expect(withoutSecrets('/v1/shares/019a0f6e-7c1b-7d52-9f0e-00000000f00a')).toContain('f00a');
  });
});

test('a picture has no markup but its own, whatever the register says', () => {
  const label = '<script>alert(1)</script>" onload="x\u0000\u001b\ud800';
  const text = drawn(
    {
      title: label,
      unit: '</svg>',
      bars: [
        { label, value: 0.02 },
        { label: 'ohne', value: null },
      ],
    },
    ['Quelle <b>'],
    'de',
  );
  expect(text).not.toMatch(/<script|<b>|" onload/);
  expect([...text].filter((sign) => sign !== '\n' && /[\p{Cc}\p{Cs}]/u.test(sign))).toEqual([]);
  expect(text.match(/<\/svg>/g)).toHaveLength(1);
  expect(text).toContain('0,02');
});
