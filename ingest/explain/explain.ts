import { REASONS } from '../../sql/eeg/reasons.ts';
import { awardLines } from './awards.ts';
import { bandsOf, meanOf } from './bands.ts';
import type { Claim } from './claim.ts';
import type { KeptPlant, KeptSupport } from './kept.ts';
import { RATE_TABLE, type RateLine } from './rates.ts';
import { missingRate, phaseLines } from './rules.ts';
import { cents, kilowatts, someOf } from './words.ts';

/** Explains the support values of a unit in sentences for an operator. */

export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** @param rates the lines of the rate table that the plant's values read */
export function explain(kept: KeptSupport, rates: readonly RateLine[]): Section[] {
  const { unit, plant, exportDay } = kept;
  if (plant === null) return [{ title: 'Result', lines: [withoutPlant(unit)] }];
  const sections = [
    { title: 'Plant', lines: plantLines(plant, kept) },
    { title: 'Awards', lines: awardSentences(plant, kept) },
    { title: 'Rate', lines: [...rateSentences(plant, rates), ...missing(plant, kept)] },
    { title: 'Support', lines: supportLines(plant, kept.claim) },
    { title: 'Result', lines: resultLines(plant, exportDay) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

function withoutPlant({ einheitTyp, eegMastrNummer }: KeptSupport['unit']): string {
  if (einheitTyp === 'storage') return 'nicht_ableitbar: storage has no claim of its own under the EEG.';
  if (eegMastrNummer === null)
    return 'nicht_ableitbar: the register names no EEG plant behind this unit, so it claims nothing under the EEG.';
  return `nicht_ableitbar: the export does not contain the EEG plant ${eegMastrNummer} that the unit names.`;
}

function plantLines(plant: KeptPlant, { units, others, labels }: KeptSupport): string[] {
  const label = (id: number | null): string | null => (id === null ? null : (labels.get(id) ?? `id ${id}`));
  const said = (name: string, text: string | null): string[] => (text === null ? [] : [`${name}: ${text}`]);
  const flags = [
    ...(plant.mieterstrom ? ['assigned to tenant electricity'] : []),
    ...(plant.pilot ? ['pilot plant'] : []),
    ...(plant.prototyp ? ['prototype'] : []),
    ...(plant.ertuechtigt ? ['upgraded'] : []),
    ...(plant.buergerenergie ? ['citizen energy'] : []),
    ...(plant.hatZuschlag ? ['the register says that it holds an award'] : []),
  ];
  return [
    ...(units.length > 1 ? [`${units.length} units share it; ${units[0]} stands for all of them`] : []),
    ...(others.length > 0
      ? [`Of another carrier or in another state, with values of their own: ${someOf(others)}`]
      : []),
    commissioning(plant, units),
    plant.kw === null ? 'Capacity: missing' : `Capacity: ${kilowatts(plant.kw)}`,
    ...before(plant.davorKw),
    ...said('Payments under the EEG are claimed', plant.zahlung === null ? null : plant.zahlung ? 'yes' : 'no'),
    ...said('Kind of solar plant', label(plant.lageId)),
    ...said('Use of the building', label(plant.nutzungsbereichId)),
    ...said('Feed-in', label(plant.einspeisungsartId)),
    ...said('Place', label(plant.seelageId)),
    ...said('Main fuel', label(plant.hauptbrennstoffId)),
    ...said('Kind of biomass', label(plant.biomasseartId)),
    ...said('Kind of hydro plant', label(plant.wasserkraftartId)),
    ...yieldLines(plant),
    ...(flags.length > 0 ? [`Also: ${flags.join(', ')}`] : []),
  ];
}

function before(kw: number | null): string[] {
  const which = 'earlier plants at the same location or on the same parcel';
  if (kw === null) return [`The capacity of ${which} is not known`];
  return kw > 0 ? [`${kilowatts(kw)} of ${which} count before it, as one plant with it`] : [];
}

function commissioning({ inbetriebnahme, eigenesDatum }: KeptPlant, units: readonly string[]): string {
  if (inbetriebnahme === null) return 'Commissioning: no day in the register';
  const whose = eigenesDatum
    ? "the EEG plant's own day"
    : `the day of ${units[0] ?? 'the unit'}, as the EEG plant has none`;
  return `Commissioning: ${inbetriebnahme}, ${whose}`;
}

function yieldLines(plant: KeptPlant): string[] {
  const ratios: [string, number | null][] = [
    ['estimated', plant.ertragSchaetzung],
    ['after 5 years', plant.ertrag5],
    ['after 10 years', plant.ertrag10],
    ['after 15 years', plant.ertrag15],
  ];
  const known = ratios.flatMap(([when, ratio]) => (ratio === null ? [] : [`${ratio} ${when}`]));
  if (known.length === 0) return [];
  const used = plant.referenzertrag === null ? 'none is usable' : `${plant.referenzertrag} counts`;
  return [`Yield against reference yield, as in the register: ${known.join(', ')}; ${used}`];
}

function awardSentences(plant: KeptPlant, { links }: KeptSupport): string[] {
  const awards = plant.zuschlaege ?? [];
  const [only] = awards;
  const site = awards.length === 1 ? siteLine(plant, only?.mittel ?? undefined) : [];
  const weights =
    awards.length > 1 ? ['The value is the mean of these, by awarded capacity where it is known of all'] : [];
  return [...awardLines(awards, links), ...weights, ...site];
}

/** A plant without a rate is told where the table ends. */
const missing = ({ gruende }: KeptPlant, { claim, rows }: KeptSupport): string[] =>
  claim !== null && gruende?.includes('keine_rate') ? missingRate(claim, rows) : [];

function rateSentences(plant: KeptPlant, rates: readonly RateLine[]): string[] {
  const law = plant.gesetz === null ? [] : [`Law: ${plant.gesetz}`];
  const kind = plant.art === null ? [] : [`Kind: ${plant.art}`];
  if (plant.kw === null || plant.kw <= 0 || rates.length === 0) return [...law, ...kind];
  const bands = bandsOf(rates, plant.kw, plant.davorKw ?? 0);
  const lines = bands.map(({ rate, kilowatts: part }) => {
    const prices = [
      ...(rate.tariff === null ? [] : [`tariff ${cents(rate.tariff)}`]),
      ...(rate.value === null ? [] : [`value ${cents(rate.value)}`]),
    ];
    const note = rate.note === '' ? '' : `; ${rate.note}`;
    return (
      `${kilowatts(part)} in the band ${bandName(rate)}: ${prices.join(', ')} ` +
      `(${RATE_TABLE} line ${rate.line}, ${rate.validFrom} to ${rate.validTo}, ${rate.law}, ${rate.source}${note})`
    );
  });
  const means = (['tariff', 'value'] as const).flatMap((price) => {
    const found = meanOf(bands, price);
    return found === null ? [] : [{ price, ...found }];
  });
  const sums = means.map(({ price, arithmetic }) => `Mean ${price}: ${arithmetic}`);
  return [...law, ...kind, ...lines, ...sums, ...siteLine(plant, means.find(({ price }) => price === 'value')?.mean)];
}

/** The line on the correction factor by which the site of a wind plant changes the reference value. */
function siteLine({ anzulegenderWert, einheitTyp }: KeptPlant, reference: number | undefined): string[] {
  if (einheitTyp !== 'wind' || reference === undefined || anzulegenderWert === null) return [];
  if (anzulegenderWert === reference) return [];
  const factor = (anzulegenderWert / reference).toFixed(3);
  return [`Correction factor of the site: ${factor}, as ${reference.toFixed(2)} becomes ${cents(anzulegenderWert)}`];
}

const bandName = ({ fromKw, toKw }: RateLine): string =>
  toKw === null ? `above ${fromKw} kW` : `${fromKw} to ${toKw} kW`;

function supportLines(plant: KeptPlant, claim: Claim | null): string[] {
  const { foerderbeginn, foerderende, gruende } = plant;
  const assumed = [
    ...(gruende?.includes('umstellung_angenommen') ? ['the month of the change is assumed'] : []),
    ...(gruende?.includes('bekanntgabe_angenommen') ? ['it follows from the assumed day of announcement'] : []),
  ];
  const doubt = assumed.length === 0 ? '' : `; ${assumed.join(', and ')}`;
  const begins = plant.inbetriebnahme === foerderbeginn ? '' : doubt;
  return [
    ...(foerderbeginn === null ? [] : [`Begins on ${foerderbeginn}${begins}`]),
    ...(foerderende === null ? [] : [`Ends on ${foerderende}${endRule(plant)}${doubt}`]),
    ...(claim === null ? [] : phaseLines(plant, claim)),
  ];
}

/** Names the rule on the end of support that gives this day. */
function endRule({ foerderbeginn: begin, foerderende: end, zuschlaege }: KeptPlant): string {
  if (begin === null || end === null) return '';
  if (zuschlaege?.[0]?.technologie === 'SOLAR_DACH') return ': the last day of the 252nd month after the announcement';
  const years = Number(end.slice(0, 4)) - Number(begin.slice(0, 4));
  const isAnniversary = end.slice(5) === begin.slice(5) || (begin.endsWith('02-29') && end.endsWith('02-28'));
  if (isAnniversary) return `: exactly ${years} years, as for plants with an award`;
  if (end.endsWith('12-31')) return `: ${years} calendar years after that of the begin`;
  return '';
}

function resultLines(plant: KeptPlant, exportDay: string): string[] {
  const { verguetung, anzulegenderWert, ableitbarkeit, gruende } = plant;
  return [
    ...(anzulegenderWert === null ? [] : [`Value for the market premium: ${cents(anzulegenderWert)}`]),
    ...(verguetung === null ? [] : [`Feed-in tariff: ${cents(verguetung)}${deduction(plant)}`]),
    ...(verguetung === null && anzulegenderWert !== null ? ['No fixed tariff: the law gives none to this plant'] : []),
    `${ableitbarkeit} on ${exportDay}${ableitbarkeit === 'exakt' ? '' : ', because:'}`,
    ...(gruende ?? []).map((code) => `  ${code}: ${meaningOf(code)}`),
  ];
}

/** Value and tariff differ by the cost of direct marketing. */
function deduction({ verguetung, anzulegenderWert }: KeptPlant): string {
  if (verguetung === null || anzulegenderWert === null) return '';
  return `, ${(anzulegenderWert - verguetung).toFixed(2)} ct less than the value, which includes the costs of direct marketing`;
}

/** The sentence for a reason. */
export const meaningOf = (code: string): string => REASONS.find((reason) => reason.code === code)?.meaning ?? code;
