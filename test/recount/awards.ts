import { readFileSync } from 'node:fs';
import type { ListedAward, LoadedTenders } from '../../ingest/tenders/loaded.ts';
import { parcelsOfCell } from '../../ingest/tenders/location.ts';
import { parcelKeys, parcelsOfRegister } from '../../sql/tenders/parcels.ts';
import { type Findings, note, type TypedRow, type Value } from './values.ts';

/**
 * The awards of units, as the register names them: a number belongs to the EEG or CHP plant, and each unit of the plant has
 * it. The round of a number is looked up in the calendar, which is data.
 */

interface NamedAward {
  readonly gebotsterminId: number | null;
  readonly technologie: string;
  readonly datum: string | null;
  readonly zuschlagsnummer: string;
}

interface PlantAwards {
  readonly awards: readonly NamedAward[];
  /** The field as the register has it, in one spelling; null when there is none. */
  readonly text: string | null;
  readonly kw: Value;
}

const DIGITS = ['WIND', 'SOLAR_FREIFLAECHE', 'SOLAR_DACH', 'BIOMASSE', 'BIOMETHAN', 'INNOVATION', 'KWK', 'GEMEINSAM'];
const PROCEDURES: Readonly<Record<string, number>> = { '': 0, iKWK: 1, grenzueberschreitend: 2 };

const SERIES: Readonly<Record<string, string>> = {
  ...{ FFA: 'SOLAR_FREIFLAECHE', SOL: 'SOLAR_FREIFLAECHE', GEE: 'SOLAR_FREIFLAECHE', SDA: 'SOLAR_DACH', WIN: 'WIND' },
  ...{ BIO: 'BIOMASSE', BME: 'BIOMETHAN', INN: 'INNOVATION', GEM: 'GEMEINSAM', KWK: 'KWK', IKWK: 'KWK' },
};

/** A lower-case L that was meant to be an I. */
const LOOK_ALIKES: readonly (readonly [typed: string, meant: string])[] = [
  ['WLN', 'WIN'],
  ['LNN', 'INN'],
  ['LKWK', 'IKWK'],
];

const CARRIERS: Readonly<Record<string, string>> = {
  ...{ WIND: 'wind', SOLAR_FREIFLAECHE: 'solar', SOLAR_DACH: 'solar', GEMEINSAM: 'solar wind' },
  ...{
    INNOVATION: 'solar wind storage biomass hydro',
    BIOMASSE: 'biomass combustion',
    BIOMETHAN: 'biomass combustion',
  },
  KWK: 'combustion biomass geothermal',
};

const rowsOf = (name: string): Record<string, string>[] => {
  const text = readFileSync(new URL(`../../data/reference/${name}`, import.meta.url), 'utf8');
  const [header, ...lines] = text.trimEnd().split('\n');
  const columns = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, place) => [columns[place]!, cell])));
};

/** Rounds by series, year and ordinal: those whose dates are known, then those that the law sets. */
function calendar(untilYear: number): Map<string, { technologie: string; verfahren: string; datum: string }> {
  const rounds = new Map<string, { technologie: string; verfahren: string; datum: string }>();
  const laws = Object.groupBy(rowsOf('tender-dates.csv'), ({ serie }) => serie!);
  for (const row of rowsOf('tender-calendar.csv')) {
    rounds.set(`${row.serie!.toUpperCase()} ${row.jahr} ${row.ordnungszahl}`, row as never);
  }
  for (const [serie, dates = []] of Object.entries(laws)) {
    for (let year = 2015; year <= untilYear; year++) {
      const ofYear = dates.filter(({ abJahr, bisJahr }) => Number(abJahr) <= year && year <= Number(bisJahr || year));
      ofYear.sort((a, b) => a.tag!.localeCompare(b.tag!));
      for (const [place, { tag, technologie, verfahren }] of ofYear.entries()) {
        const round = { technologie: technologie!, verfahren: verfahren!, datum: `${year}-${tag}` };
        rounds.set(`${serie.toUpperCase()} ${year} ${place + 1}`, round);
      }
    }
  }
  return rounds;
}

/** Reads the award numbers of plants, and counts the findings about them. */
export function awardsReader(exportDay: string, findings: Findings): (plant: TypedRow | undefined) => PlantAwards {
  const rounds = calendar(Number(exportDay.slice(0, 4)) + 1);
  const read = new Map<TypedRow, PlantAwards>();
  return (plant) => {
    if (plant === undefined) return { awards: [], text: null, kw: null };
    const known = read.get(plant);
    if (known !== undefined) return known;
    const one = readPlant(plant, rounds, findings);
    read.set(plant, one);
    return one;
  };
}

function readPlant({ values }: TypedRow, rounds: ReturnType<typeof calendar>, findings: Findings): PlantAwards {
  const list = (values.Zuschlagsnummer ?? []) as string[];
  const single = values.Zuschlagnummer;
  const written = [...list, ...(typeof single === 'string' ? single.split(/[;,]/) : [])]
    .map((one) => one.replaceAll(' ', '').toUpperCase())
    .filter((one) => one !== '');
  const awards = new Map<string, NamedAward>();
  const field = values.Zuschlagsnummer === undefined ? 'Zuschlagnummer' : 'Zuschlagsnummer';
  const found = new Set<string>();
  for (const one of written) {
    const corrected = LOOK_ALIKES.reduce((text, [typed, meant]) => text.replace(typed, meant), one);
    if (corrected !== one) found.add('zuschlagsnummer_berichtigt');
    const match = /^([A-Z]+)(\d\d)-(\d\d?)[-/](\d{1,4})$/.exec(corrected);
    if (match === null || SERIES[match[1]!] === undefined) {
      found.add('zuschlagsnummer_unlesbar');
      continue;
    }
    const [, series, year, ordinal, sequence] = match as unknown as [string, string, string, string, string];
    const round = rounds.get(`${series} 20${year} ${Number(ordinal)}`);
    const isHeat = series.endsWith('KWK');
    const code = `${series === 'IKWK' ? 'iKWK' : series}${year}-${Number(ordinal)}`;
    const dated = round !== undefined && round.datum !== '';
    const zuschlagsnummer = isHeat ? `${code}-${Number(sequence)}` : `${code}/${sequence.padStart(3, '0')}`;
    if (!dated && !awards.has(zuschlagsnummer))
      note(findings, 'zuschlag_ohne_termin', 'ausschreibungen', 'Zuschlagsnummer');
    awards.set(zuschlagsnummer, {
      gebotsterminId: dated
        ? Number(round.datum.replaceAll('-', '')) * 100 +
          (DIGITS.indexOf(round.technologie) + 1) * 10 +
          PROCEDURES[round.verfahren]!
        : null,
      technologie: dated ? round.technologie : SERIES[series]!,
      datum: dated ? round.datum : null,
      zuschlagsnummer,
    });
  }
  for (const finding of found) note(findings, finding, 'ausschreibungen', field);
  return {
    awards: [...awards.values()],
    text: list.length > 0 ? written.join('; ') : null,
    kw: awards.size === 1 ? (values.ZugeordneteGebotsmenge ?? null) : null,
  };
}

/** Counts the awards of plants that no served unit refers to. */
export function noteUnreferred(plants: readonly PlantAwards[], findings: Findings): void {
  const awards = plants.reduce((sum, plant) => sum + plant.awards.length, 0);
  if (awards > 0) note(findings, 'zuschlag_ohne_einheit', 'ausschreibungen', 'Zuschlagsnummer', awards);
}

/** A served unit, as far as awards depend on it. */
export interface AwardSubject {
  readonly number: string;
  readonly einheitTyp: string;
  readonly commissioned: string | null;
  readonly planned: string | null;
  readonly bundesland: Value;
  readonly kw: number | null;
  readonly eegNumber: Value;
  readonly gemarkung: string | null;
  readonly parcels: string | null;
  readonly eeg: PlantAwards;
  readonly kwk: PlantAwards;
}

interface Link extends NamedAward {
  readonly id: number | null;
  readonly kw: Value;
  readonly regel: 'registernummer' | 'see_nummer' | 'eeg_nummer' | 'flurstueck';
}

interface AwardFields {
  readonly eegZuschlagsnummer: string | null;
  readonly ausschreibungen: string | null;
}

/** Months after the announcement within which a plant on the parcels must run. */
const MONTHS: Readonly<Record<string, number>> = {
  ...{ WIND: 48, SOLAR_FREIFLAECHE: 32, SOLAR_DACH: 32, GEMEINSAM: 48, INNOVATION: 42, BIOMASSE: 48, BIOMETHAN: 48 },
  KWK: 60,
};

/** The most that the units of an award have: 15 % beyond its volume, the law's largest bid or the whole round. */
function limitOf({ gebotsmengeKw }: ListedAward, round: LoadedTenders['rounds'][number]): number {
  const law = rowsOf('tender-largest-bids.csv').find(
    ({ technologie, ab, bis }) =>
      technologie === round.technologie && ab! <= round.datum && round.datum <= (bis || '9999'),
  );
  const bounds = [
    law === undefined ? null : Number(law.kw),
    round.volumenBezuschlagtKw ?? round.volumenAusgeschriebenKw,
  ].filter((kw) => kw !== null);
  return (gebotsmengeKw ?? (bounds.length === 0 ? -1 : Math.min(...bounds))) * 1.15;
}

/** The awards of all units: those of their plants, those of lists that name them, and those on their parcels. */
export function awardsOfUnits(
  subjects: readonly AwardSubject[],
  { awards, rounds }: Pick<LoadedTenders, 'awards' | 'rounds'>,
  findings: Findings,
): Map<string, AwardFields> {
  const listed = new Map(awards.map((award) => [award.id, award]));
  const roundOf = new Map(rounds.map((round) => [round.id, round]));
  const remark = (finding: string): void => note(findings, finding, 'ausschreibungen', null);
  const named = ({ gebotstermin, zuschlagsnummer }: ListedAward): NamedAward => {
    const { technologie, datum } = roundOf.get(gebotstermin)!;
    return { gebotsterminId: gebotstermin, technologie, datum, zuschlagsnummer: zuschlagsnummer! };
  };
  const byNumber = new Map<string, ListedAward[]>();
  for (const award of awards) {
    for (const number of [...award.mastrNummern, ...award.foerderNummern]) {
      byNumber.set(number, [...(byNumber.get(number) ?? []), award]);
    }
  }
  const links = new Map<string, Link[]>();
  for (const { number, eegNumber, eeg, kwk } of subjects) {
    const found = new Map<string, Link>();
    const add = (award: NamedAward, kw: Value, regel: Link['regel']): void => {
      const sequence = Number(/(\d+)$/.exec(award.zuschlagsnummer ?? '')?.[1]);
      const id = award.gebotsterminId === null ? null : award.gebotsterminId * 100_000 + sequence;
      const key = award.zuschlagsnummer;
      if (!found.has(key)) found.set(key, { ...award, id: id !== null && listed.has(id) ? id : null, kw, regel });
    };
    for (const award of eeg.awards) add(award, eeg.kw, 'registernummer');
    for (const award of kwk.awards) add(award, null, 'registernummer');
    for (const award of byNumber.get(number) ?? []) add(named(award), null, 'see_nummer');
    for (const award of byNumber.get(String(eegNumber)) ?? []) add(named(award), null, 'eeg_nummer');
    if (found.size > 0) links.set(number, [...found.values()]);
  }
  const served = new Set(subjects.flatMap(({ number, eegNumber }) => [number, String(eegNumber)]));
  for (const { mastrNummern, foerderNummern } of awards) {
    const unknown = [...mastrNummern, ...foerderNummern].filter((number) => !served.has(number)).length;
    if (unknown > 0) note(findings, 'nummer_der_liste_unbekannt', 'ausschreibungen', 'mastrNummern', unknown);
  }
  const taken = new Set([...links.values()].flat().map(({ id }) => id));
  const parcelled = new Map<string, ListedAward[]>();
  for (const award of awards) {
    for (const key of parcelKeys(parcelsOfCell(award.flurstueckRoh ?? ''))) {
      parcelled.set(key, [...(parcelled.get(key) ?? []), award]);
    }
  }
  const matched = new Map<number, { subject: AwardSubject; award: ListedAward }[]>();
  for (const subject of subjects) {
    if (subject.gemarkung === null || (subject.kw ?? 0) < 100 || !/^(wind|solar|biomass)$/.test(subject.einheitTyp))
      continue;
    const keys = parcelKeys(parcelsOfRegister(subject.gemarkung, subject.parcels));
    const fitting = [...new Set([...keys].flatMap((key) => parcelled.get(key) ?? []))].filter((award) => {
      const { technologie, datum, bekanntgabe } = roundOf.get(award.gebotstermin)!;
      const day = subject.commissioned ?? subject.planned;
      const last = new Date(bekanntgabe ?? datum);
      last.setUTCMonth(last.getUTCMonth() + MONTHS[technologie]!);
      return (
        CARRIERS[technologie]!.split(' ').includes(subject.einheitTyp) &&
        subject.bundesland === award.bundesland &&
        day !== null &&
        day >= datum &&
        day <= last.toISOString().slice(0, 10)
      );
    });
    if (links.has(subject.number)) continue;
    if (fitting.length > 1) remark('flurstueck_mehrdeutig');
    const [award] = fitting;
    if (fitting.length !== 1 || award === undefined || taken.has(award.id)) continue;
    matched.set(award.id, [...(matched.get(award.id) ?? []), { subject, award }]);
  }
  for (const group of matched.values()) {
    const { award } = group[0]!;
    const kw = group.reduce((sum, { subject }) => sum + (subject.kw ?? 0), 0);
    if (kw > limitOf(award, roundOf.get(award.gebotstermin)!)) {
      note(findings, 'flurstueck_zu_gross', 'ausschreibungen', null, group.length);
      continue;
    }
    for (const { subject } of group) {
      links.set(subject.number, [{ ...named(award), id: award.id, kw: null, regel: 'flurstueck' }]);
    }
  }
  return new Map(
    subjects.map((subject) => {
      const own = (links.get(subject.number) ?? []).toSorted(
        (a, b) => (b.datum ?? '').localeCompare(a.datum ?? '') || (a.zuschlagsnummer < b.zuschlagsnummer ? -1 : 1),
      );
      const inRegister = own.filter(({ regel }) => regel === 'registernummer');
      const texts = own.map((link) => {
        const { gebotsterminId, technologie, datum, zuschlagsnummer, id, kw, regel } = link;
        const fits = CARRIERS[technologie]!.split(' ').includes(subject.einheitTyp);
        const contradicts = regel !== 'registernummer' && inRegister.length > 0;
        const notListed = id === null && gebotsterminId !== null && roundOf.get(gebotsterminId)!.liste;
        if (!fits) remark('zuschlag_anderer_energietraeger');
        if (contradicts) remark('zuschlag_widerspruch');
        if (subject.einheitTyp === 'solar' && datum !== null && (subject.commissioned ?? '9999') < datum) {
          remark('zuschlag_nach_inbetriebnahme');
        }
        const menge = kw ?? (id === null ? null : (listed.get(id)?.gebotsmengeKw ?? null));
        const sure = regel !== 'flurstueck' && gebotsterminId !== null && fits && !contradicts && !notListed;
        return JSON.stringify({
          ...{ gebotsterminId, technologie, datum, zuschlagsnummer, gebotsmengeKw: menge === null ? null : '#' },
          ...{ zuordnung: regel === 'registernummer' ? 'register' : 'abgleich', regel },
          sicherheit: sure ? 'sicher' : 'wahrscheinlich',
        }).replace('"#"', Number(menge).toFixed(3));
      });
      const isEeg = ({ technologie }: Link): boolean => technologie !== 'KWK';
      const first = inRegister.find(isEeg)?.zuschlagsnummer ?? subject.eeg.text ?? own.find(isEeg)?.zuschlagsnummer;
      return [
        subject.number,
        { eegZuschlagsnummer: first ?? null, ausschreibungen: texts.length === 0 ? null : `[${texts.join(',')}]` },
      ];
    }),
  );
}
