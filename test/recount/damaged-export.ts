import { REGISTER_FIELDS } from '../../sql/register/fields.ts';
import { zipOf } from '../support/zip.ts';
import { cutIntoRecords, memberTexts } from './read-export.ts';
import { ACTORS, DELETED, EEG, KWK, LOCATIONS, PERMITS, POINTS, STORAGE, UNITS } from './tables.ts';
import type { Table } from './values.ts';

/**
 * The sample with the faults that real exports have, many times over, at places drawn from a fixed seed. What the
 * generator leaves rare or out - unreadable values, contradictory flags, several connection points, repetitions in every
 * order - is frequent here.
 */

const DAMAGED: readonly Table[] = [UNITS, EEG, KWK, STORAGE, PERMITS, LOCATIONS, DELETED, ACTORS, POINTS];

/** Members keep their first records only: a fault that shows in thousands of records shows in hundreds too. */
const MAX_PARTS = 2;

interface Chance {
  /** Below 1. */
  next(): number;
  pick<T>(choices: readonly T[]): T;
  /** Some locations and units that have passed: members come in the order of their kinds, solar units early. */
  readonly locations: string[];
  readonly units: string[];
}

/** Mulberry32. */
function chanceFrom(seed: number): Chance {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, pick: (choices) => choices[Math.floor(next() * choices.length)]!, locations: [], units: [] };
}

/** Returns the damaged sample as the bytes of a zip. */
export async function damagedSample(path: string, seed = 1): Promise<Buffer> {
  const chance = chanceFrom(seed);
  const members = (await memberTexts(path)).filter(({ part }) => part <= MAX_PARTS);
  return zipOf(
    members.map(({ name, kind, text }) => {
      const table = DAMAGED.find(({ kinds }) => kinds.includes(kind));
      const damaged = table === undefined ? text : damageMembers(text, kind, table, chance);
      return { name, content: Buffer.from(`\ufeff${damaged}`, 'utf16le') };
    }),
  );
}

function damageMembers(text: string, kind: string, table: Table, chance: Chance): string {
  const records = cutIntoRecords(text, kind).flatMap((record, at) => {
    // The first record of every member is damaged, each in another way.
    if (at === 0) return [record, chance.pick(FIRST)(record, chance)].toReversed();
    let damaged = record;
    while (chance.next() < 0.3) damaged = chance.pick(FAULTS)(damaged, table, chance, kind);
    if (chance.next() < 0.3) damaged = TURNS[kind]?.(damaged, chance) ?? damaged;
    if (table === UNITS && chance.next() < 0.1) damaged = turnUnit(damaged, chance);
    return chance.next() < 0.1 ? repeated(record, damaged, table, chance) : [damaged];
  });
  return `<?xml version="1.0" encoding="UTF-16"?><${kind}>${records.join('')}</${kind}>`;
}

type Fault = (record: string, table: Table, chance: Chance, kind: string) => string;

const fieldsIn = (record: string): string[] => [...record.matchAll(/<(\w+)>[^<]*<\/\1>/g)].map(([, name]) => name!);

/** Another text for an element that the record has. */
const replaced = (record: string, element: string, text: (before: string) => string): string =>
  record.replace(new RegExp(`<${element}>([^<]*)</${element}>`), (_, before: string) =>
    text(before) === '' ? '' : `<${element}>${text(before)}</${element}>`,
  );

const appended = (record: string, fields: string): string => record.replace(/<\/\w+>$/, (end) => fields + end);

/** The key stays what it is, but for a few faults of its own: whoever loses it says nothing more. */
const anyField = (record: string, { key }: Table, chance: Chance): string =>
  chance.pick(fieldsIn(record).filter((name) => name !== key && name !== 'NeuesFeld')) ?? key;

const TEXTS = [
  ...[
    '',
    ' ',
    'x',
    '0',
    '1',
    '2',
    'true',
    'FALSE',
    '99999',
    '517',
    '518',
    '2954',
    '35',
    '31',
    '473',
    '572',
    '354',
    '348',
  ],
  ...['29.999', '30.000', '30', '-1.000', '.5', '1e3', '12.3456', '1,5', '+7', '007', '0.001'],
  ...['999999999999.999', '-999999999999.999', '2147483648', '180.000001', '-180', '0001-01-01', '9999-12-31T23:59:59'],
  ...['1880-01-01', '1879-12-31', '2046-11-01', '2046-11-02', '2025-02-29', '2024-02-29', '01.02.2025', '2206-01-01'],
  ...['2024-05-06T07:08:09.1234567', '2024-05-06T00:00:00', '2024-05-06T07:08:09Z', '2024-05-06T25:00:00'],
  ...['813, 3186', '813,;99999 ,x', ',', ' sol 18-2/011, ;ffa15-3/110,', 'BNA0001', 'SEE123', 'SNB999999999999'],
  ...[
    'A &amp; B',
    'A \uff06 B',
    '\u00a0A  B\u00a0',
    'A&#13;&#10;B',
    'A\r\n\tB',
    '&#x1F300;\u{10ffff}',
    '&lt;b&gt; &quot;c&apos;',
  ],
  ...['A\u0001B', '\ufffe\ud800', 'A&#1;B&#xFFFE;', '&nbsp;', 'A & B', 'A &amp B'],
];

/** Elements that files of a kind may have. */
const elementsOf = (kind: string): string[] =>
  REGISTER_FIELDS.filter(({ file }) => file === kind).map(({ field }) => field);

const FAULTS: readonly Fault[] = [
  (record, table, chance) => replaced(record, anyField(record, table, chance), () => chance.pick(TEXTS)),
  (record, table, chance) => replaced(record, anyField(record, table, chance), () => chance.pick(TEXTS)),
  (record, table, chance) => replaced(record, anyField(record, table, chance), () => chance.pick(TEXTS)),
  // Missing, empty, twice.
  (record, table, chance) => replaced(record, anyField(record, table, chance), () => ''),
  (record, table, chance) => {
    const element = anyField(record, table, chance);
    return record.replace(
      new RegExp(`<${element}>[^<]*</${element}>`),
      chance.pick([`<${element}/>`, `<${element}></${element}>`]),
    );
  },
  (record, table, chance) => {
    const element = anyField(record, table, chance);
    return appended(record, `<${element}>${chance.pick(TEXTS)}</${element}>`);
  },
  // Elements that the record did not have, or that nobody knows.
  (record, { types }, chance, kind) => {
    const element = chance.pick(elementsOf(kind).filter((name) => name in types));
    return record.includes(`<${element}>`)
      ? record
      : appended(record, `<${element}>${chance.pick(TEXTS)}</${element}>`);
  },
  (record) => (record.includes('<NeuesFeld>') ? record : appended(record, '<NeuesFeld>neu</NeuesFeld>')),
  // "Not available", and yet there is a value.
  (record, { key }, chance) => {
    const element = chance.pick(key === 'GenMastrNummer' ? ['Frist'] : ['Weic', 'Kraftwerksnummer']);
    if (key !== 'GenMastrNummer' && key !== 'EinheitMastrNummer') return record;
    const value = element === 'Frist' ? '2027-01-01' : 'BNA0002';
    return appended(
      record,
      `<${element}>${value}</${element}><${element}_nv>${chance.pick(['0', '1', 'true'])}</${element}_nv>`,
    );
  },
  // Numbers instead of texts: their zero is lost.
  (record) => record.replace(/(<(?:Gemeindeschluessel|Postleitzahl)>)0(?=\d)/, '$1'),
  // No place on earth.
  (record, _, chance) =>
    replaced(record, chance.pick(['Breitengrad', 'Laengengrad']), () =>
      chance.pick(['99999', '-181', '180.000001', '']),
    ),
  // White space between the fields, and around a value.
  (record) => record.replaceAll(/(<\/\w+>)(?=<\w)/g, '$1\r\n  '),
  (record, table, chance) => replaced(record, anyField(record, table, chance), (text) => `\n ${text}\t`),
  (record, { key }) => replaced(record, key, (text) => ` ${text}\n`),
  // Nobody's key.
  (record, { key }, chance) =>
    chance.next() < 0.3
      ? replaced(record, key, () => chance.pick(['', 'SEE12', 'see900000000001', 'SVE900000000001']))
      : record,
  // Cut off: an end tag, the end of the record, something in the middle.
  (record, table, chance) =>
    chance.next() < 0.3 ? record.replace(`</${anyField(record, table, chance)}>`, '') : record,
  (record, _, chance) => (chance.next() < 0.3 ? record.slice(0, -Math.ceil(chance.next() * 30)) : record),
  (record, _, chance) => {
    const at = record.indexOf('>') + 1 + Math.floor(chance.next() * 200);
    return chance.next() < 0.3 ? record.slice(0, at) + record.slice(at + 1 + Math.floor(chance.next() * 9)) : record;
  },
];

/** Faults of the first record, by which those behind it cannot be known. Its copy behind it stays whole. */
const FIRST: readonly ((record: string, chance: Chance) => string)[] = [
  (record) => record.slice(record.indexOf('>') + 1),
  (record, chance) => `<${record.slice(2 + Math.floor(chance.next() * 4))}`,
  (record, chance) => record.slice(0, 2 + Math.floor(chance.next() * 8)),
  (record, chance) => record.slice(0, record.indexOf('>') + 1 + Math.floor(chance.next() * 60)),
  (record) => record.replace(/<\/\w+>$/, ''),
  (record) => record.replace('</', `${'x'.repeat(400_000)}</`),
];

/** The record again, in an older, newer or equally old state, before or behind itself. */
function repeated(record: string, damaged: string, { changed }: Table, chance: Chance): string[] {
  const again = replaced(record, changed, () =>
    chance.pick(['2001-01-01T00:00:00', '2026-10-31T23:59:59.9999999', '']),
  );
  const copy = chance.pick([
    record,
    again,
    again.replace(/<(Ort|Firmenname|Behoerde|AnlagenschluesselEeg)>/, '<$1>Neu '),
  ]);
  return chance.next() < 0.5 ? [copy, damaged] : [damaged, copy];
}

/** A unit at the limits of the rules: with coordinates at 30 kW, deleted. */
const turnUnit = (record: string, chance: Chance): string =>
  chance.pick<(text: string) => string>([
    (text) =>
      appended(
        replaced(text, 'Bruttoleistung', () => chance.pick(['29.999', '30.000', '30.001', ''])),
        '<Breitengrad>51.000001</Breitengrad><Laengengrad>9.000001</Laengengrad>',
      ),
    (text) => replaced(text, 'EinheitSystemstatus', () => chance.pick(['472', '473', '572', ''])),
  ])(record);

const fewOf = (letters: string, count: number, chance: Chance): string =>
  `${letters}9${String(Math.floor(chance.next() * count)).padStart(11, '0')}`;

/** Changes in single kinds of files that make their records refer to each other. */
const TURNS: Readonly<Record<string, (record: string, chance: Chance) => string>> = {
  // Several points at one location, points that only their location names, in planning, without an operator.
  Netzanschlusspunkte: (record, chance) =>
    chance.pick<(text: string) => string>([
      (text) => replaced(text, 'LokationMaStRNummer', () => ''),
      (text) => replaced(text, 'LokationMaStRNummer', () => chance.pick(chance.locations)),
      (text) => replaced(text, 'NochInPlanung', () => chance.pick(['0', '1'])),
      (text) => replaced(text, 'Spannungsebene', () => chance.pick(['', '348', '350', '352', '354'])),
      (text) =>
        replaced(
          replaced(text, 'NetzbetreiberMaStRNummer', () => ''),
          'NetzMaStRNummer',
          () => fewOf('SNE', 20, chance),
        ),
      (text) => replaced(text, 'RegelzoneNetzanschlusspunkt', () => ''),
    ])(record),
  // Grid operators as they named their grids until level 25.1.
  Marktakteure: (record, chance) => {
    const grids = [fewOf('SNE', 20, chance), fewOf('SNE', 20, chance)].join(', ');
    return chance.next() < 0.2 ? appended(record, `<Netz>${grids}</Netz>`) : record;
  },
  EinheitenGeothermieGrubengasDruckentspannung: (record, chance) =>
    replaced(record, 'Energietraeger', () => chance.pick(['2403', '2404', '2404', '2405', '2406', '2957', '2958'])),
  EinheitenSolar: (record, chance) => {
    const [, location] = /<LokationMaStRNummer>(SEL[0-9]{12})</.exec(record) ?? [];
    if (location !== undefined && chance.locations.length < 200) chance.locations.push(location);
    const [, number] = /<EinheitMastrNummer>(SEE[0-9]{12})</.exec(record) ?? [];
    if (number !== undefined && chance.units.length < 200) chance.units.push(number);
    return record;
  },
  // Units that are still in their file.
  GeloeschteUndDeaktivierteEinheiten: (record, chance) =>
    replaced(record, 'EinheitMastrNummer', () => chance.pick(chance.units)),
};
