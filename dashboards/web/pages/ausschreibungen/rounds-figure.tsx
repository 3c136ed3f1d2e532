import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { fixed, megawatts, NOTHING } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import {
  ALL_ROUNDS,
  inMegawatts,
  oversubscription,
  resultOf,
  roundName,
  TENDERS_DATASET,
} from '../../tenders/rounds.ts';
import { type Loaded, mapLoaded } from '../../v1/loaded.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

/** Every past date, newest first; each leads to its awards. */
export function RoundsFigure({ loaded, name }: { loaded: Loaded<readonly TenderRound[]>; name: string }) {
  const { at } = useNavigation();
  const columns = columnsWith((round) => at(`ausschreibungen/${round.id}`));
  const title = `Gebotstermine: ${name}`;
  return (
    <Figure
      title={title}
      unit="Mengen in MW, Werte in ct/kWh; der Termin führt zu seinen Zuschlägen"
      loaded={mapLoaded(loaded, (rounds) => rounds.toReversed())}
      requests={[ALL_ROUNDS]}
      shows="die Gebotstermine mit ihren Ergebnissen"
      dataset={TENDERS_DATASET}
      table={(rounds) => tableOf(columns, rounds)}
      empty={(rounds) => (rounds.length === 0 ? 'Diese Technologie hatte noch keinen Gebotstermin.' : null)}
      plain
    >
      {(rounds) => (
        <RowTable columns={columns} rows={rounds} caption={title} idOf={({ id }) => String(id)} nameOf={roundName} />
      )}
    </Figure>
  );
}

const volume = (name: string, of: (round: TenderRound) => number | null): RowColumn<TenderRound> => ({
  name,
  unit: 'MW',
  numeric: true,
  value: (round) => inMegawatts(of(round)),
  show: (round) => {
    const value = inMegawatts(of(round));
    return value === null ? NOTHING : megawatts(value);
  },
});

const price = (name: string, value: (round: TenderRound) => number | null): RowColumn<TenderRound> => ({
  name,
  unit: 'ct/kWh',
  numeric: true,
  value,
  show: (round) => {
    const found = value(round);
    return found === null ? NOTHING : fixed(found, 2);
  },
});

const columnsWith = (hrefOf: (round: TenderRound) => string): readonly RowColumn<TenderRound>[] => [
  {
    name: 'Gebotstermin',
    value: ({ datum }) => day(datum),
    show: (round) => <a href={hrefOf(round)}>{day(round.datum)}</a>,
  },
  { name: 'Zuschläge', numeric: true, digits: 0, value: ({ zuschlaege }) => zuschlaege },
  volume('Ausgeschrieben', (round) => round.volumenAusgeschriebenKw),
  volume('Geboten', (round) => round.volumenBeworbenKw),
  volume('Bezuschlagt', (round) => round.volumenBezuschlagtKw),
  {
    name: 'Überzeichnung',
    numeric: true,
    value: oversubscription,
    show: (round) => {
      const times = oversubscription(round);
      return times === null ? NOTHING : `${fixed(times, 2)}\u202f×`;
    },
  },
  price('Niedrigster', (round) => round.gebotNiedrigstesCtKwh),
  price('Mittel', (round) => round.zuschlagswertDurchschnittCtKwh),
  price('Höchster', (round) => round.gebotHoechstesCtKwh),
  price('Höchstwert', (round) => round.hoechstwertCtKwh),
  {
    name: 'Ergebnis',
    value: (round) => resultOf(round),
    show: (round) => <span class="nowrap">{resultOf(round)}</span>,
  },
];
