import { useNavigation } from '../../address/address.ts';
import { kindName } from '../../charts/carriers.ts';
import { plural, power } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { mapLoaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { Neighbour, UnitWithNeighbours } from '../../v1/unit-answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import type { UnitProps } from './unit-props.ts';

/** What stands at the same location: a storage unit beside the roof that fills it, the turbines of a park. */
export function Neighbours({ unit, request }: UnitProps) {
  const { at } = useNavigation();
  const asked: ApiRequest = { ...request, query: { include: 'standort' } };
  const loaded = useAnswer<UnitWithNeighbours>(asked);
  const kind = ({ einheitTyp, energietraeger }: Neighbour): string => kindName(einheitTyp, energietraeger);
  const kilowatts = ({ bruttoleistungKw }: Neighbour): string =>
    bruttoleistungKw === null ? 'Leistung unbekannt' : power(bruttoleistungKw);
  return (
    <Figure
      title="Nachbarn"
      unit={`Weitere Einheiten am selben Standort, Lokation ${String(unit.lokationMastrNummer)}`}
      loaded={mapLoaded(loaded, ({ data }) => data.nachbarn)}
      requests={[asked]}
      height={60}
      shows="die Nachbarn"
      table={({ einheiten }) => ({
        columns: [
          { name: 'MaStR-Nummer' },
          { name: 'Energieträger' },
          { name: 'Status' },
          { name: 'Leistung', unit: 'kW', numeric: true },
        ],
        rows: einheiten.map((one) => [one.mastrNummer, kind(one), one.betriebsStatus, one.bruttoleistungKw]),
      })}
      empty={({ anzahl }) => (anzahl === 0 ? 'Hier steht keine weitere Einheit.' : null)}
      note={
        loaded.state === 'ready' && loaded.value.data.nachbarn.anzahl > loaded.value.data.nachbarn.einheiten.length
          ? `Von ${plural(loaded.value.data.nachbarn.anzahl, 'Einheit', 'Einheiten')} stehen hier die ersten.`
          : undefined
      }
      plain
    >
      {({ einheiten }) => (
        <ul class="awards">
          {einheiten.map((one) => (
            <li key={one.mastrNummer}>
              <a href={at(`einheiten/${one.mastrNummer}`)}>{one.mastrNummer}</a> {kind(one)}, {kilowatts(one)}
              {one.betriebsStatus === null ? '' : `, ${one.betriebsStatus}`}
            </li>
          ))}
        </ul>
      )}
    </Figure>
  );
}
