import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type AlertHolder, alertHolder, alertQuestion, registerQuestion } from '../../../api/alerts/question.ts';
import type { AlertRules } from '../../../sql/org/alerts/alerts.ts';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { SavedFilterRow } from '../../../sql/org/records/saved-filters.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { insertTexts, makeField } from '../../support/custom-fields.ts';
import { makeOrganisation } from '../../support/organisation.ts';
import { ANYWHERE, openFresh } from '../../support/store-engines.ts';

/** The conditions that an alert asks, or the reason why it is faulty. */

const FILTER: SavedFilterRow = {
  id: randomUUID(),
  name: 'Parks',
  kind: 'table',
  criteria: { einheitTyp: ['wind'] },
  view: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const HOLDER: AlertHolder = {
  organisation: {
    id: randomUUID(),
    modules: new Set(['api', 'workspace']),
    signals: new Set(['grossspeicher']),
    alertTemplates: ['NEW_UNIT', 'SIGNAL_CHANGE'],
    trialEndsAt: null,
    trialEnded: false,
  },
  filters: new Map([[FILTER.id, FILTER]]),
};

const RULES: AlertRules = { template: 'NEW_UNIT', signals: [], fields: [], criteria: {}, savedFilterId: null };

const asked = (rules: Partial<AlertRules>, organisation: Partial<AlertHolder['organisation']> = {}, filter = FILTER) =>
  registerQuestion(
    { ...RULES, ...rules },
    { organisation: { ...HOLDER.organisation, ...organisation }, filters: new Map([[FILTER.id, filter]]) },
  );

describe('an alert asks', () => {
  it('for every unit when it has no filters', () => {
    expect(asked({})).toEqual({ conditions: [], fault: null });
  });

  it('for units of the portfolio alone, where the organisation has the module', () => {
    const own = { criteria: { portfolio: true, einheitTyp: ['wind'] } };
    expect(asked(own).fault).toMatch(/^The filter portfolio needs the module portfolio/);
    const { conditions } = asked(own, { modules: new Set(['api', 'portfolio']) });
    expect(conditions?.map(({ filter }) => filter.name)).toEqual(['einheitTyp']);
    const saved = { ...FILTER, criteria: { portfolio: true } };
    expect(asked({ criteria: null, savedFilterId: FILTER.id }, {}, saved).fault).toMatch(/does not take: portfolio$/);
  });

  it('for its own filters, or for those that its saved filter has now', () => {
    const own = asked({ criteria: { leistungMinKw: 5 } });
    expect(own.conditions?.map(({ filter, value }) => [filter.name, value])).toEqual([['leistungMinKw', 5]]);
    const saved = asked({ criteria: null, savedFilterId: FILTER.id });
    expect(saved.conditions?.map(({ filter, value }) => [filter.name, value])).toEqual([['einheitTyp', ['wind']]]);
  });
});

test.each<[string, Partial<AlertRules>, Parameters<typeof asked>[1], Partial<SavedFilterRow>, RegExp]>([
  [
    'its trial ended',
    {},
    { trialEnded: true, trialEndsAt: '2026-01-31T23:00:00.000Z' },
    {},
    /trial ended on 2026-01-31T/,
  ],
  [
    'it lost the template',
    {},
    { alertTemplates: ['SIGNAL_CHANGE'] },
    {},
    /not entitled to alerts from NEW_UNIT; .* SIGNAL_CHANGE$/,
  ],
  ['it lost every template', {}, { alertTemplates: [] }, {}, /it is entitled to no template at all$/],
  [
    'it lost a signal that is watched',
    { template: 'SIGNAL_CHANGE', signals: ['neu_registriert'] },
    {},
    {},
    /to neu_registriert; .* grossspeicher$/,
  ],
  [
    'it lost a signal that is filtered by',
    { criteria: { signals: ['neu_registriert'] } },
    {},
    {},
    /not entitled to neu_registriert/,
  ],
  ['it lost a module', { criteria: { eegFoerderendeVon: '2026-01-01' } }, {}, {}, /needs the module eeg_verguetung/],
  [
    'the saved filter is gone',
    { criteria: null, savedFilterId: '0199c2a4-7c1b-7d52-9f0e-00000000f117' },
    {},
    {},
    /has no saved filter with the id 0199c2a4/,
  ],
  [
    'the saved filter became one of the map',
    { criteria: null, savedFilterId: FILTER.id },
    {},
    { kind: 'map' },
    /Parks is one of the map/,
  ],
  [
    'a release does not know a filter',
    { criteria: { former: 1 } },
    {},
    {},
    /^The alert has criteria that this release does not take: former$/,
  ],
  [
    'a release does not take a value',
    { criteria: null, savedFilterId: FILTER.id },
    {},
    { criteria: { einheitTyp: ['coal'] } },
    /^The saved filter Parks has criteria .*: einheitTyp, which has "coal"/,
  ],
])('it is faulty when %s', (_, rules, organisation, filter, reason) => {
  const { conditions, fault } = asked(rules, organisation, { ...FILTER, ...filter });
  expect(conditions).toBe(null);
  expect(fault).toMatch(reason);
});

describe('free text', () => {
  let store: OrgStore;
  let organisation: OrganisationRow;
  beforeAll(async () => {
    store = await openFresh(ANYWHERE);
    organisation = await makeOrganisation(store);
    const field = await makeField(store, organisation, { type: 'LONG_TEXT', multiple: true });
    const texts = Array.from({ length: 21 }, (_, text) =>
      Array.from({ length: 1_000 }, (_, word) => `zk${text * 1_000 + word}`).join(' '),
    );
    await insertTexts(store, { id: field.id, ownerId: organisation.id }, texts, { mastrNumber: 'SEE900000000001' });
  });
  afterAll(() => store.close());

  const searched = (words: readonly string[], holder: Partial<OrganisationRow> = {}) =>
    store.asOperator(async (session) => {
      const held = await alertHolder(session, { ...organisation, ...holder });
      const found = [];
      for (const suche of words) found.push(await alertQuestion(session, { ...RULES, criteria: { suche } }, held));
      return found;
    });

  it('is also looked for in the texts of the organisation', async () => {
    const [question] = await searched(['zk20999']);
    expect(question?.conditions?.[0]?.own?.get('zk20999')).toEqual(['SEE900000000001']);
  });

  it('that too many texts have is a fault, after which other alerts can be asked', async () => {
    const [first, second] = await searched(['zk', 'zk20999']);
    expect(first?.fault).toContain('too many texts of your own fields have "zk"');
    expect(second?.fault).toBe(null);
  });

  it('is looked for in the register alone without the module workspace', async () => {
    const [question] = await searched(['zk'], { modules: ['api'] });
    expect(question).toMatchObject({ conditions: [{ value: ['zk'] }], fault: null });
  });
});
