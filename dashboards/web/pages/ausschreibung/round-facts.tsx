import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { count, decimal, fixed, NOTHING, power } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { oversubscription, resultOf } from '../../tenders/rounds.ts';
import { technologyName } from '../../tenders/technologies.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

const cents = (value: number | null): string => (value === null ? NOTHING : `${fixed(value, 2)}\u202fct/kWh`);

/** „4,20 bis 5,78 ct/kWh, Höchstwert 7,00“, as far as that is published. */
function spanOf({ gebotNiedrigstesCtKwh: low, gebotHoechstesCtKwh: high, hoechstwertCtKwh: ceiling }: TenderRound) {
  const span =
    low === null || high === null
      ? []
      : [say(`${fixed(low, 2)} bis ${cents(high)}`, `${fixed(low, 2)} to ${cents(high)}`)];
  const parts = [
    ...span,
    ...(ceiling === null ? [] : [say(`Höchstwert ${cents(ceiling)}`, `Price cap ${cents(ceiling)}`)]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Shows what is published of the date as a whole. */
export function RoundFacts({ round }: { round: TenderRound }) {
  const times = oversubscription(round);
  return (
    <Facts
      facts={[
        { name: say('Gebotstermin', 'Bid date'), value: day(round.datum), more: technologyName(round.technologie) },
        {
          name: say('Zuschläge', 'Awards'),
          value: round.zuschlaege === null ? NOTHING : count(round.zuschlaege),
          more: say(`Ergebnis: ${resultOf(round)}`, `Result: ${resultOf(round)}`),
        },
        { name: say('Ausgeschrieben', 'Tendered'), value: power(round.volumenAusgeschriebenKw) },
        {
          name: say('Geboten', 'Bid'),
          value: power(round.volumenBeworbenKw),
          more:
            times === null
              ? undefined
              : say(`${decimal(times)}-fach des Ausgeschriebenen`, `${decimal(times)} times the tendered volume`),
        },
        { name: say('Bezuschlagt', 'Awarded'), value: power(round.volumenBezuschlagtKw) },
        {
          name: say('Mittlerer Zuschlagswert', 'Mean award value'),
          value: cents(round.zuschlagswertDurchschnittCtKwh),
          more: spanOf(round),
        },
      ]}
    />
  );
}
