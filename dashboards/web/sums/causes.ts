import { day } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { count, decimal, signed } from '../format/numbers.ts';
import type { Table } from '../frame/table.ts';
import type { SumChange } from '../v1/history-answers.ts';

/** How a sum came from one state to another. */

export const MEASURES = ['mw', 'anzahl'] as const;

export type Measure = (typeof MEASURES)[number];

const CAUSES: Readonly<Record<string, string>> = {
  neu_registriert: say('Neu registriert', 'Newly registered'),
  in_betrieb_genommen: say('In Betrieb genommen', 'Commissioned'),
  nach_oben_korrigiert: say('Nach oben korrigiert', 'Corrected upwards'),
  nach_unten_korrigiert: say('Nach unten korrigiert', 'Corrected downwards'),
  umgezogen: say('Anderem Ort zugeordnet', 'Moved to or from elsewhere'),
  stillgelegt: say('Stillgelegt', 'Decommissioned'),
  entfallen: say('Aus dem Register entfallen', 'Left the register'),
  anders_geaendert: say('Anders geändert', 'Changed otherwise'),
  zeitablauf: say('Durch den Lauf der Zeit', 'By the passing of time'),
};

/** A row of the waterfall: a sum, or what moved it. */
export interface Step {
  readonly name: string;
  readonly isSum: boolean;
  /** Units that a cause concerns; of a sum, its number. */
  readonly units: number;
  /** Where the bar begins and ends, in MW or units; a sum begins at 0. */
  readonly from: number;
  readonly to: number;
}

type Change = SumChange['data'];

const measured = (
  { anzahl, bruttoleistungKw }: { anzahl: number; bruttoleistungKw: number },
  measure: Measure,
): number => (measure === 'mw' ? bruttoleistungKw / 1000 : anzahl);

/** The sum before, each cause that moved it, and the sum after. */
export function stepsOf({ vorher, nachher, ursachen }: Change, measure: Measure): readonly Step[] {
  let at = measured(vorher, measure);
  const causes = ursachen.map((cause): Step => {
    const from = at;
    at += measured(cause, measure);
    return { name: CAUSES[cause.ursache] ?? cause.ursache, isSum: false, units: cause.einheiten, from, to: at };
  });
  return [
    { name: stateName(vorher.tag), isSum: true, units: vorher.anzahl, from: 0, to: measured(vorher, measure) },
    ...causes,
    { name: stateName(nachher.tag), isSum: true, units: nachher.anzahl, from: 0, to: measured(nachher, measure) },
  ];
}

const stateName = (tag: string): string => say(`Stand ${day(tag)}`, `State of ${day(tag)}`);

/** „+12,5 MW“, „−3 Einheiten“; of a sum without a sign. To the kilowatt, so that what is seen adds up. */
export function stepText({ isSum, from, to }: Step, measure: Measure): string {
  const moved = to - from;
  if (measure === 'anzahl') {
    const one = Math.abs(moved) === 1;
    return `${isSum ? count(moved) : signed(moved, 0)}\u00a0${one ? say('Einheit', 'unit') : say('Einheiten', 'units')}`;
  }
  return `${isSum ? decimal(moved, 3) : signed(moved, 3)}\u202fMW`;
}

export const tableOfSum = ({ vorher, nachher, ursachen }: Change): Table => ({
  columns: [
    { name: say('Stand oder Ursache', 'State or cause') },
    { name: say('Betroffene Einheiten', 'Units concerned'), numeric: true, digits: 0 },
    { name: say('Einheiten', 'Units'), numeric: true, digits: 0 },
    { name: say('Leistung', 'Power'), unit: 'MW', numeric: true, digits: 3 },
  ],
  rows: [
    [stateName(vorher.tag), null, vorher.anzahl, vorher.bruttoleistungKw / 1000],
    ...ursachen.map(({ ursache, einheiten, anzahl, bruttoleistungKw }) => [
      CAUSES[ursache] ?? ursache,
      einheiten,
      anzahl,
      bruttoleistungKw / 1000,
    ]),
    [stateName(nachher.tag), null, nachher.anzahl, nachher.bruttoleistungKw / 1000],
  ],
});
