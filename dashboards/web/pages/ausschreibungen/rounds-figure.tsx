import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
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
  const title = say(`Gebotstermine: ${name}`, `Bid dates: ${name}`);
  return (
    <Figure
      title={title}
      unit={say(
        'Mengen in MW, Werte in ct/kWh; der Termin führt zu seinen Zuschlägen',
        'Volumes in MW, values in ct/kWh; the date leads to its awards',
      )}
      loaded={mapLoaded(loaded, (rounds) => rounds.toReversed())}
      requests={[ALL_ROUNDS]}
      shows={say('die Gebotstermine mit ihren Ergebnissen', 'the bid dates with their results')}
      dataset={TENDERS_DATASET}
      table={(rounds) => tableOf(columns, rounds)}
      empty={(rounds) =>
        rounds.length === 0
          ? say('Diese Technologie hatte noch keinen Gebotstermin.', 'This technology has had no bid date yet.')
          : null
      }
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
    name: say('Gebotstermin', 'Bid date'),
    value: ({ datum }) => day(datum),
    show: (round) => <a href={hrefOf(round)}>{day(round.datum)}</a>,
  },
  { name: say('Zuschläge', 'Awards'), numeric: true, digits: 0, value: ({ zuschlaege }) => zuschlaege },
  volume(say('Ausgeschrieben', 'Tendered'), (round) => round.volumenAusgeschriebenKw),
  volume(say('Geboten', 'Bid'), (round) => round.volumenBeworbenKw),
  volume(say('Bezuschlagt', 'Awarded'), (round) => round.volumenBezuschlagtKw),
  {
    name: say('Überzeichnung', 'Oversubscription'),
    numeric: true,
    value: oversubscription,
    show: (round) => {
      const times = oversubscription(round);
      return times === null ? NOTHING : `${fixed(times, 2)}\u202f×`;
    },
  },
  price(say('Niedrigster', 'Lowest'), (round) => round.gebotNiedrigstesCtKwh),
  price(say('Mittel', 'Mean'), (round) => round.zuschlagswertDurchschnittCtKwh),
  price(say('Höchster', 'Highest'), (round) => round.gebotHoechstesCtKwh),
  price(say('Höchstwert', 'Price cap'), (round) => round.hoechstwertCtKwh),
  {
    name: say('Ergebnis', 'Result'),
    value: (round) => resultOf(round),
    show: (round) => <span class="nowrap">{resultOf(round)}</span>,
  },
];
