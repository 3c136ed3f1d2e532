import { useNavigation } from '../../address/address.ts';
import { kindName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { power, unitCount } from '../../format/numbers.ts';
import { registerWord } from '../../format/register-words.ts';
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
    bruttoleistungKw === null ? say('Leistung unbekannt', 'power not known') : power(bruttoleistungKw);
  return (
    <Figure
      title={say('Nachbarn', 'Neighbours')}
      unit={say(
        `Weitere Einheiten am selben Standort, Lokation ${String(unit.lokationMastrNummer)}`,
        `Further units at the same site, location ${String(unit.lokationMastrNummer)}`,
      )}
      loaded={mapLoaded(loaded, ({ data }) => data.nachbarn)}
      requests={[asked]}
      height={60}
      shows={say('die Nachbarn', 'the neighbours')}
      table={({ einheiten }) => ({
        columns: [
          { name: say('MaStR-Nummer', 'MaStR number') },
          { name: say('Energieträger', 'Carrier') },
          { name: 'Status' },
          { name: say('Leistung', 'Power'), unit: 'kW', numeric: true },
        ],
        rows: einheiten.map((one) => [
          one.mastrNummer,
          kind(one),
          registerWord(one.betriebsStatus ?? ''),
          one.bruttoleistungKw,
        ]),
      })}
      empty={({ anzahl }) =>
        anzahl === 0 ? say('Hier steht keine weitere Einheit.', 'There is no other unit here.') : null
      }
      note={
        loaded.state === 'ready' && loaded.value.data.nachbarn.anzahl > loaded.value.data.nachbarn.einheiten.length
          ? say(
              `Von ${unitCount(loaded.value.data.nachbarn.anzahl)} stehen hier die ersten.`,
              `Of ${unitCount(loaded.value.data.nachbarn.anzahl)}, the first are shown.`,
            )
          : undefined
      }
      plain
    >
      {({ einheiten }) => (
        <ul class="awards">
          {einheiten.map((one) => (
            <li key={one.mastrNummer}>
              <a href={at(`einheiten/${one.mastrNummer}`)}>{one.mastrNummer}</a> {kind(one)}, {kilowatts(one)}
              {one.betriebsStatus === null ? '' : `, ${registerWord(one.betriebsStatus)}`}
            </li>
          ))}
        </ul>
      )}
    </Figure>
  );
}
