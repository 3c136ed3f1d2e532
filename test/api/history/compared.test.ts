import { expect, test } from 'vitest';
import { comparedFields, toldChanges } from '../../../api/history/compared.ts';
import { SIGNAL_IDS, signalMask } from '../../../sql/catalogue/signals.ts';
import { READABLE_FIELDS } from '../../../sql/catalogue/unit-fields.ts';

/** A change is what the register changed, not what days and further exports bring about. */

const shown = { fields: comparedFields(READABLE_FIELDS), signals: new Set(SIGNAL_IDS), today: '2026-11-01' };
const row = (values: Readonly<Record<string, string>>) =>
  new Map(Object.entries({ betreiberMastrNummer: 'ABR900000000001', ...values }));
const told = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
  toldChanges(row(before), row(after), shown).map(({ feld }) => feld);
const signals = (...ids: string[]) => ({ signals: String(signalMask(ids)) });

const PLAN = {
  geplantesInbetriebnahmedatum: '2027-05-01',
  ersterPlantag: '2027-05-01',
  ersterPlantagVom: '2026-11-01',
};
const seenOn = (day: string, more = {}) => ({ ...PLAN, letzterPlantagVom: day, ...more });

test.each([
  ['a window of a signal that ends', signals('neu_registriert'), signals(), []],
  ['one that begins', signals('grossspeicher'), signals('grossspeicher', 'foerderende_24_monate'), []],
  ['a signal without a window', signals('neu_registriert'), signals('grossspeicher'), ['signals']],
  ['a second export', seenOn('2026-11-01'), seenOn('2026-11-02', signals('inbetriebnahme_ueberfaellig')), []],
  [
    'a planned day that moved',
    seenOn('2026-11-01'),
    seenOn('2026-11-02', { geplantesInbetriebnahmedatum: '2027-06-01' }),
    ['geplantesInbetriebnahmedatum', 'ibnVerschiebungTage'],
  ],
  [
    'a record with its signal',
    { ...signals('neu_registriert'), name: 'Alt' },
    { ...signals(), name: 'Neu' },
    ['name', 'signals'],
  ],
])('%s', (_, before, after, fields) => {
  expect(told(before, after).sort()).toEqual(fields.sort());
});
