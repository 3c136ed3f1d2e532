import { day } from '../../format/dates.ts';
import { count, decimal, fixed, NOTHING, power } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { oversubscription, resultOf } from '../../tenders/rounds.ts';
import { technologyName } from '../../tenders/technologies.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

const cents = (value: number | null): string => (value === null ? NOTHING : `${fixed(value, 2)}\u202fct/kWh`);

/** „4,20 bis 5,78 ct/kWh, Höchstwert 7,00“, as far as that is published. */
function spanOf({ gebotNiedrigstesCtKwh: low, gebotHoechstesCtKwh: high, hoechstwertCtKwh: ceiling }: TenderRound) {
  const span = low === null || high === null ? [] : [`${fixed(low, 2)} bis ${cents(high)}`];
  const parts = [...span, ...(ceiling === null ? [] : [`Höchstwert ${cents(ceiling)}`])];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Shows what is published of the date as a whole. */
export function RoundFacts({ round }: { round: TenderRound }) {
  const times = oversubscription(round);
  return (
    <Facts
      facts={[
        { name: 'Gebotstermin', value: day(round.datum), more: technologyName(round.technologie) },
        {
          name: 'Zuschläge',
          value: round.zuschlaege === null ? NOTHING : count(round.zuschlaege),
          more: `Ergebnis: ${resultOf(round)}`,
        },
        { name: 'Ausgeschrieben', value: power(round.volumenAusgeschriebenKw) },
        {
          name: 'Geboten',
          value: power(round.volumenBeworbenKw),
          more: times === null ? undefined : `${decimal(times)}-fach des Ausgeschriebenen`,
        },
        { name: 'Bezuschlagt', value: power(round.volumenBezuschlagtKw) },
        {
          name: 'Mittlerer Zuschlagswert',
          value: cents(round.zuschlagswertDurchschnittCtKwh),
          more: spanOf(round),
        },
      ]}
    />
  );
}
