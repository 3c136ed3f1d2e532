import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
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
          name: 'Letztes Ergebnis',
          value: <a href={at(`ausschreibungen/${round.id}`)}>{day(datum)}</a>,
          more: zuschlaege === null ? 'Gebotstermin' : `Gebotstermin, ${plural(zuschlaege, 'Zuschlag', 'Zuschläge')}`,
        },
        { name: 'Ausgeschrieben', value: power(volumenAusgeschriebenKw) },
        {
          name: 'Geboten',
          value: power(volumenBeworbenKw),
          more: times === null ? 'nicht veröffentlicht' : `${decimal(times)}-fach des Ausgeschriebenen`,
        },
        {
          name: 'Bezuschlagt',
          value: power(volumenBezuschlagtKw),
          more: awarded === null ? undefined : `${share(awarded)} des Ausgeschriebenen`,
        },
        {
          name: 'Mittlerer Zuschlagswert',
          value: mean === null ? NOTHING : `${fixed(mean, 2)}\u202fct/kWh`,
          more: 'nach Menge gewichtet',
        },
      ]}
    />
  );
}
