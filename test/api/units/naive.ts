import fc from 'fast-check';

/**
 * The unit filters of interface.md in plain code over rows of a version: a table by kind of filter, written from the
 * interface and not from the catalogue.
 */

export type Row = Readonly<Record<string, unknown>>;

/** A query in the notation of a body. */
export type Filters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Parameters with another name than their field. */
const LISTS: Readonly<Record<string, string>> = { mastrNummern: 'mastrNummer', betreiber: 'betreiberName' };

const LIST_FILTERS =
  `mastrNummern einheitTyp energietraeger betriebsStatus betreiberMastrNummer betreiber bundesland einspeisungsart
  netzbetreiberpruefung netzbetreiber spannungsebene bilanzierungsgebiet regelzone solarLage solarNutzungsbereich
  solarSpeicherVorhanden windSeelage windHersteller windTypenbezeichnung windpark speichertechnologie
  speicherAcDcKopplung pumpspeichertechnologie hauptbrennstoff verbrennungTechnologie biomasseart biomasseTechnologie
  wasserkraftart zuflussart geothermieTechnologie kernkraftTechnologie`.split(/\s+/);

const STATEMENTS = `buergerenergie nepGelistet speicherNotstromaggregat grenzkraftwerk mitKwk mitFlexipraemie
  leistungserhoehung minderungStromerzeugung`.split(/\s+/);

const PRESENCE: Readonly<Record<string, string>> = {
  hatKoordinaten: 'longitude',
  hatGenehmigung: 'genehmigungMastrNummer',
  hatKwkMastrNummer: 'kwkMastrNummer',
  hatKwkZuschlagsnummer: 'kwkZuschlagsnummer',
  hatEegMastrNummer: 'eegMastrNummer',
  hatEegZuschlagsnummer: 'eegZuschlagsnummer',
};

/** Pairs of inclusive bounds: from, to, field. Numbers and days compare alike. */
const RANGES: readonly (readonly [from: string, to: string | null, field: string])[] = [
  ['leistungMinKw', 'leistungMaxKw', 'bruttoleistungKw'],
  ['speicherkapazitaetMinKwh', 'speicherkapazitaetMaxKwh', 'speicherkapazitaetKwh'],
  ['ibnVerspaetungMinTage', null, 'verspaetung'],
  ['inbetriebnahmeVon', 'inbetriebnahmeBis', 'inbetriebnahmedatum'],
  ['geplanteInbetriebnahmeVon', 'geplanteInbetriebnahmeBis', 'geplantesInbetriebnahmedatum'],
  ['registrierungVon', 'registrierungBis', 'ersteRegistrierung'],
  ['stilllegungVon', 'stilllegungBis', 'stilllegungsdatum'],
];

const SEARCHED = `name ort gemeinde landkreis plz windpark betreiberName mastrNummer eegMastrNummer kwkMastrNummer
  betreiberMastrNummer lokationMastrNummer genehmigungMastrNummer speicherMastrNummer netzbetreiberMastrNummer
  netzanschlusspunktMastrNummer speicherSolareinheitMastrNummer`.split(/\s+/);

/** Returns true when a unit meets a filter. */
function meets(row: Row, name: string, value: Filters[string]): boolean {
  if (LIST_FILTERS.includes(name)) return (value as string[]).includes(row[LISTS[name] ?? name] as string);
  if (STATEMENTS.includes(name)) return (row[name] === true) === value;
  if (name in PRESENCE) return (row[PRESENCE[name]!] !== null) === value;
  if (name === 'landkreis' || name === 'gemeinde') return row[name] === value;
  if (name === 'plz') return typeof row.plz === 'string' && row.plz.startsWith(value as string);
  if (name === 'suche') {
    const texts = SEARCHED.map((field) => folded(String(row[field] ?? '')));
    const words = folded(value as string)
      .split(/\s+/)
      .filter((word) => word !== '');
    return words.every((word) => texts.some((text) => text.includes(word)));
  }
  const range = RANGES.find(([from, to]) => from === name || to === name)!;
  const actual = row[range[2]] as number | string | null;
  if (actual === null) return false;
  const bound = value as typeof actual;
  return range[0] === name ? actual >= bound : actual <= bound;
}

const folded = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

export const meetsAll = (row: Row, filters: Filters): boolean =>
  Object.entries(filters).every(([name, value]) => meets(row, name, value));

/** Filters made from the values of a row, so that at least one row meets them. */
export function filtersOver(rows: readonly Row[]): fc.Arbitrary<Filters> {
  const row = fc.nat({ max: rows.length - 1 }).map((index) => rows[index]!);
  return fc
    .tuple(row, row)
    .chain(([one, other]) =>
      fc
        .tuple(fc.constantFrom(...candidates(one, other)), fc.constantFrom(...candidates(one, other)), fc.nat(2))
        .map(([first, second, count]) => Object.assign({}, ...[first, second].slice(0, count))),
    );
}

/** Single filters that the first row meets. */
function candidates(one: Row, other: Row): Filters[] {
  const lists = LIST_FILTERS.flatMap((name) => {
    const [mine, others] = [one, other].map((row) => row[LISTS[name] ?? name]);
    if (typeof mine !== 'string') return [];
    return [{ [name]: typeof others === 'string' && others !== mine ? [others, mine] : [mine] }];
  });
  const statements = STATEMENTS.map((name) => ({ [name]: one[name] === true }));
  const presence = Object.entries(PRESENCE).map(([name, field]) => ({ [name]: one[field] !== null }));
  const ranges = RANGES.flatMap(([from, to, field]) => {
    const value = one[field] as number | string | null;
    return value === null
      ? []
      : [{ [from]: value }, ...(to === null ? [] : [{ [to]: value }, { [from]: value, [to]: value }])];
  });
  const texts = ['landkreis', 'gemeinde'].flatMap((name) =>
    typeof one[name] === 'string' ? [{ [name]: one[name] as string }] : [],
  );
  const plz = typeof one.plz === 'string' ? [{ plz: one.plz.slice(0, 2) }, { plz: one.plz }] : [];
  const name = typeof one.name === 'string' ? one.name : String(one.mastrNummer);
  const suche = [
    name.slice(1, 5),
    name.toUpperCase(),
    `${name.slice(0, 3)} ${one.ort ?? ''}`,
    String(one.mastrNummer).slice(5),
  ]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ suche: text }));
  return [...lists, ...statements, ...presence, ...ranges, ...texts, ...plz, ...suche];
}

const SORTABLE = ['bruttoleistungKw', 'inbetriebnahmedatum', 'geplantesInbetriebnahmedatum', 'registrierungsdatum'];

/** Orders in the notation of `sort`. */
export const sorts: fc.Arbitrary<string> = fc
  .tuple(
    fc.shuffledSubarray([...SORTABLE, 'mastrNummer'], { minLength: 1, maxLength: 3 }),
    fc.infiniteStream(fc.constantFrom('asc', 'desc')),
  )
  .map(([names, directions]) => names.map((name) => `${name}:${directions.next().value}`).join(','));

/** Sorts rows: nulls last in both directions, mastrNummer at the end. */
export function sorted(rows: readonly Row[], sort: string): Row[] {
  const keys = `${sort},mastrNummer:asc`.split(',').map((term) => term.split(':') as [string, string]);
  return rows.toSorted((a, b) => {
    for (const [name, direction] of keys) {
      const [x, y] = [a[name] as string, b[name] as string];
      if (x === y) continue;
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y === (direction === 'asc') ? -1 : 1;
    }
    return 0;
  });
}

/** Writes a body as a query string. */
export function asQuery(body: Readonly<Record<string, unknown>>): string {
  const text = (value: unknown): string =>
    Array.isArray(value) ? value.map((item) => `"${String(item).replaceAll('"', '""')}"`).join(',') : String(value);
  return Object.entries(body)
    .map(([name, value]) => `${name}=${encodeURIComponent(text(value))}`)
    .join('&');
}
