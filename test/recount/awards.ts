import { readFileSync } from 'node:fs';
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

/** Reads what plants say of their awards, and counts what is remarkable. */
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
  for (const one of written) {
    const match = /^([A-Z]+)(\d\d)-(\d\d?)[-/](\d{1,4})$/.exec(one);
    if (match === null) throw new Error(`The sample has an award number that the recount cannot read: ${one}`);
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
  return {
    awards: [...awards.values()],
    text: list.length > 0 ? written.join('; ') : null,
    kw: awards.size === 1 ? (values.ZugeordneteGebotsmenge ?? null) : null,
  };
}

/** The fields of a unit that depend on the awards of its plants. */
export function awardFields(
  unit: { readonly einheitTyp: string; readonly commissioned: Value },
  eeg: PlantAwards,
  kwk: PlantAwards,
  findings: Findings,
): { eegZuschlagsnummer: string | null; ausschreibungen: string | null } {
  const links = [
    ...eeg.awards.map((award) => ({ award, kw: eeg.kw })),
    ...kwk.awards.map((award) => ({ award, kw: null })),
  ].sort(
    (a, b) =>
      (b.award.datum ?? '').localeCompare(a.award.datum ?? '') ||
      (a.award.zuschlagsnummer < b.award.zuschlagsnummer ? -1 : 1),
  );
  for (const { award } of links) {
    if (!CARRIERS[award.technologie]!.split(' ').includes(unit.einheitTyp)) {
      note(findings, 'zuschlag_anderer_energietraeger', 'ausschreibungen', null);
    }
    if (unit.einheitTyp === 'solar' && award.datum !== null && String(unit.commissioned ?? '9999') < award.datum) {
      note(findings, 'zuschlag_nach_inbetriebnahme', 'ausschreibungen', null);
    }
  }
  const newest = links.find(({ award }) => award.technologie !== 'KWK');
  const texts = links.map(({ award, kw }) => {
    const sure = award.gebotsterminId !== null && CARRIERS[award.technologie]!.split(' ').includes(unit.einheitTyp);
    return JSON.stringify({
      ...{ gebotsterminId: award.gebotsterminId, technologie: award.technologie, datum: award.datum },
      ...{ zuschlagsnummer: award.zuschlagsnummer, gebotsmengeKw: kw === null ? null : '#' },
      ...{ zuordnung: 'register', regel: 'registernummer', sicherheit: sure ? 'sicher' : 'wahrscheinlich' },
    }).replace('"#"', Number(kw).toFixed(3));
  });
  return {
    eegZuschlagsnummer: newest?.award.zuschlagsnummer ?? eeg.text,
    ausschreibungen: texts.length === 0 ? null : `[${texts.join(',')}]`,
  };
}
