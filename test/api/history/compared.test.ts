import { expect, test } from 'vitest';
import { comparableRows, comparedFields, toldChanges } from '../../../api/history/compared.ts';
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

/** The fields of which changes are told between rows one after the other, some of which have lost what is personal. */
const toldOf = (...rows: readonly Readonly<Record<string, string>>[]) => {
  const comparable = comparableRows(rows.map((values) => ({ texts: new Map(Object.entries(values)) })));
  return comparable
    .slice(1)
    .map(({ texts }, at) => toldChanges(comparable[at]!.texts, texts, shown).map(({ feld }) => feld));
};
const owned = (kw: string, name: string) => ({ bruttoleistungKw: kw, betreiberMastrNummer: 'ABR900000000001', name });
const [ERASED, LATER] = [{ bruttoleistungKw: '110' }, { bruttoleistungKw: '120' }];

test('no change of what was forgotten is told, and the next row is compared with the last one that has it', () => {
  const rows = [owned('100', 'Stall 7'), ERASED, LATER, owned('120', 'Hof')];
  expect(toldOf(...rows)).toEqual([['bruttoleistungKw'], ['bruttoleistungKw'], ['name']]);
});

test('where no row before has it, none of it is told', () => {
  expect(toldOf(ERASED, LATER, owned('120', 'Hof'))).toEqual([['bruttoleistungKw'], []]);
});
