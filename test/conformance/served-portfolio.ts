import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type PortfolioRow, putPortfolio } from '../../sql/org/records/portfolio.ts';
import { makeKey, makeOrganisation } from '../support/organisation.ts';
import { type Portfolio, portfolioOf, unit } from '../support/portfolio.ts';
import { type OwnSubject, serveSharedFixture } from '../support/service.ts';

/** The portfolio of an organisation. Each test has an organisation of its own. */
export interface PortfolioSubject {
  readonly service: OwnSubject;
  /** Always that of the organisation at hand. */
  readonly portfolio: Portfolio;
  /** Goes on with a new organisation. */
  begin(): Promise<void>;
  /** Returns the portfolio of yet another organisation. */
  another(): Promise<Portfolio>;
  /** The entry of a unit as the list shows it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads foreign JSON; what it expects there is what it proves
  entryOf(number: number): Promise<any>;
  /** Writes entries past the API, for what would take too long through it. */
  insert(rows: readonly Partial<PortfolioRow>[]): Promise<void>;
}

/** Serves the small register to the tests of a file. */
export function servePortfolio(): PortfolioSubject {
  let service: OwnSubject;
  let organisation: { readonly id: string };
  let portfolio: Portfolio;

  async function newPortfolio() {
    const made = await makeOrganisation(service.store);
    return { organisation: made, portfolio: portfolioOf(service, (await makeKey(service.store, made)).text) };
  }

  async function begin(): Promise<void> {
    ({ organisation, portfolio } = await newPortfolio());
  }

  beforeAll(async () => {
    service = await serveSharedFixture();
  });
  afterAll(() => service.stop());
  beforeEach(begin);

  return {
    get service() {
      return service;
    },
    portfolio: {
      put: (...words) => portfolio.put(...words),
      remove: (...words) => portfolio.remove(...words),
      list: (...words) => portfolio.list(...words),
    },
    begin,
    another: async () => (await newPortfolio()).portfolio,
    async entryOf(number) {
      const { json } = await portfolio.list('includeDeleted=true');
      return json.data.find(({ mastrNummer }: { mastrNummer: string }) => mastrNummer === unit(number));
    },
    async insert(rows) {
      const at = '2026-01-01T00:00:00.000Z';
      const complete = rows.map(
        (row, index): PortfolioRow => ({
          id: randomUUIDv7(),
          mastrNumber: unit(index),
          relationType: 'OWNER',
          externalRefs: {},
          createdAt: at,
          updatedAt: at,
          removedAt: null,
          ...row,
        }),
      );
      await service.store.asOrganisation(organisation.id, (session) =>
        session.run(putPortfolio(organisation.id, complete)),
      );
    },
  };
}

/** `meta` of the answer to a write. */
export const writeMeta = (counts: object) => ({
  total: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  dryRun: false,
  ...counts,
});

/** So many references of some length. */
export const references = (count: number, length = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`system ${index}`, 'x'.repeat(length)]));
