import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { megawatts, plural } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { BOUNDARIES_ATTRIBUTION } from '../../map/attribution.ts';
import { type MapPlace, PlaceMap } from '../../map/place-map.tsx';
import { accuracyName } from '../../tenders/accuracy.ts';
import { AWARDS_DATASET } from '../../tenders/rounds.ts';
import type { Loaded } from '../../v1/loaded.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { Award } from '../../v1/tender-answers.ts';

/** Colours mean how near a point is to the plant. */
const KINDS = [
  {
    id: 'exact',
    name: say('Einheit oder Flurstück', 'Unit or parcel'),
    color: 'var(--accent)',
    of: ['EINHEIT', 'FLURSTUECK'],
  },
  {
    id: 'near',
    name: say('Mitte der Gemarkung oder Gemeinde', 'Middle of the cadastral district or municipality'),
    color: 'var(--carrier-hydro)',
    of: ['GEMARKUNG', 'GEMEINDE'],
  },
  {
    id: 'district',
    name: say('Mitte des Landkreises', 'Middle of the district'),
    color: 'var(--carrier-combustion)',
    of: ['LANDKREIS'],
  },
] as const;

const kindOf = (accuracy: string) => KINDS.find(({ of }) => of.some((one) => one === accuracy)) ?? KINDS[2];

const hasPlace = ({ latitude, longitude }: Award): boolean => latitude !== null && longitude !== null;

/** Shows where the awards of a date are, as far as that is known. */
export function PlacesFigure({
  loaded,
  request,
  name,
}: {
  loaded: Loaded<readonly Award[]>;
  request: ApiRequest;
  name: string;
}) {
  return (
    <Figure
      title={say(`Orte der Zuschläge: ${name}`, `Places of the awards: ${name}`)}
      unit={say(
        'Ein Punkt je Zuschlag; er führt zu seiner Einheit, wo eine zugeordnet ist',
        'One point for each award; it leads to its unit where one belongs to it',
      )}
      loaded={loaded}
      requests={[request]}
      shows={say('die Zuschläge auf einer Karte', 'the awards on a map')}
      dataset={AWARDS_DATASET}
      attribution={BOUNDARIES_ATTRIBUTION}
      table={(awards) => ({
        columns: [
          { name: say('Zuschlag', 'Award') },
          { name: say('Breite', 'Latitude'), numeric: true, digits: 4 },
          { name: say('Länge', 'Longitude'), numeric: true, digits: 4 },
          { name: say('Genauigkeit', 'Accuracy') },
        ],
        rows: awards
          .filter(hasPlace)
          .map((award) => [award.zuschlagsnummer, award.latitude, award.longitude, accuracyName(award.geoGenauigkeit)]),
      })}
      empty={(awards) =>
        awards.some(hasPlace)
          ? null
          : say('Von keinem Zuschlag ist der Ort bekannt.', 'Of no award is the place known.')
      }
      legend={{ entries: KINDS.map(({ id, name: kind, color }) => ({ id, name: kind, color, on: true })) }}
      height={320}
    >
      {(awards) => (
        <>
          <AwardsMap awards={awards} name={name} />
          <p class="note">{withoutPlace(awards)}</p>
        </>
      )}
    </Figure>
  );
}

function withoutPlace(awards: readonly Award[]): string {
  const without = awards.filter((award) => !hasPlace(award)).length;
  if (without === 0) return say('Jeder Zuschlag hat einen Ort.', 'Each award has a place.');
  return say(
    `${plural(without, 'Zuschlag steht', 'Zuschläge stehen')} nicht auf der Karte: ohne bekannten Ort.`,
    `${plural(without, 'award is', 'awards are')} not on the map: without a known place.`,
  );
}

function AwardsMap({ awards, name }: { awards: readonly Award[]; name: string }) {
  const { go, at } = useNavigation();
  const places = useMemo(() => awards.flatMap(placeOf), [awards]);
  const open = (id: string): void => {
    const [unit] = awards.find((award) => String(award.id) === id)?.mastrNummern ?? [];
    if (unit !== undefined) go(at(`einheiten/${unit}`));
  };
  return (
    <PlaceMap
      label={say(`Karte der Zuschläge: ${name}`, `Map of the awards: ${name}`)}
      places={places}
      noun={say('Zuschläge', 'Awards')}
      onChoose={open}
    />
  );
}

function placeOf(award: Award): readonly MapPlace[] {
  const { id, latitude, longitude, zuschlagsnummer, gemeinde, landkreis, gebotsmengeKw, geoGenauigkeit } = award;
  if (latitude === null || longitude === null) return [];
  const { name, color } = kindOf(geoGenauigkeit);
  return [
    {
      id: String(id),
      latitude,
      longitude,
      title: zuschlagsnummer ?? say('Zuschlag ohne Nummer', 'Award without a number'),
      lines: [
        gemeinde ?? landkreis ?? say('Ort nicht genannt', 'Place not named'),
        ...(gebotsmengeKw === null ? [] : [`${megawatts(gebotsmengeKw / 1000)}\u202fMW`]),
        accuracyName(geoGenauigkeit),
      ],
      kind: name,
      color,
    },
  ];
}
