import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { decimal, fixed, NOTHING, plural, power, share } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { oversubscription } from '../../tenders/rounds.ts';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { TenderRound } from '../../v1/tender-answers.ts';

/** The figures of the newest date that has a result. */
export function LatestRound({ loaded }: { loaded: Loaded<readonly TenderRound[]> }) {
  const { at } = useNavigation();
  const round = shown(loaded)?.findLast(({ status }) => status === 'IMPORTED');
  if (round === undefined) return null;
  const { datum, zuschlaege, volumenAusgeschriebenKw, volumenBeworbenKw, volumenBezuschlagtKw } = round;
  const times = oversubscription(round);
  const awarded =
    volumenBezuschlagtKw === null || volumenAusgeschriebenKw === null || volumenAusgeschriebenKw === 0
      ? null
      : volumenBezuschlagtKw / volumenAusgeschriebenKw;
  const mean = round.zuschlagswertDurchschnittCtKwh;
  return (
    <Facts
      facts={[
        {
          name: say('Letztes Ergebnis', 'Latest result'),
          value: <a href={at(`ausschreibungen/${round.id}`)}>{day(datum)}</a>,
          more:
            zuschlaege === null
              ? say('Gebotstermin', 'Bid date')
              : say(
                  `Gebotstermin, ${plural(zuschlaege, 'Zuschlag', 'Zuschläge')}`,
                  `Bid date, ${plural(zuschlaege, 'award', 'awards')}`,
                ),
        },
        { name: say('Ausgeschrieben', 'Tendered'), value: power(volumenAusgeschriebenKw) },
        {
          name: say('Geboten', 'Bid'),
          value: power(volumenBeworbenKw),
          more:
            times === null
              ? say('nicht veröffentlicht', 'not published')
              : say(`${decimal(times)}-fach des Ausgeschriebenen`, `${decimal(times)} times the tendered volume`),
        },
        {
          name: say('Bezuschlagt', 'Awarded'),
          value: power(volumenBezuschlagtKw),
          more:
            awarded === null
              ? undefined
              : say(`${share(awarded)} des Ausgeschriebenen`, `${share(awarded)} of the tendered volume`),
        },
        {
          name: say('Mittlerer Zuschlagswert', 'Mean award value'),
          value: mean === null ? NOTHING : `${fixed(mean, 2)}\u202fct/kWh`,
          more: say('nach Menge gewichtet', 'weighted by volume'),
        },
      ]}
    />
  );
}
