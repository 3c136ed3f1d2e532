import { useMemo } from 'preact/hooks';
import { useNavigation } from '../../address/address.ts';
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
  { id: 'exact', name: 'Einheit oder Flurstück', color: 'var(--accent)', of: ['EINHEIT', 'FLURSTUECK'] },
  {
    id: 'near',
    name: 'Mitte der Gemarkung oder Gemeinde',
    color: 'var(--carrier-hydro)',
    of: ['GEMARKUNG', 'GEMEINDE'],
  },
  { id: 'district', name: 'Mitte des Landkreises', color: 'var(--carrier-combustion)', of: ['LANDKREIS'] },
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
      title={`Orte der Zuschläge: ${name}`}
      unit="Ein Punkt je Zuschlag; er führt zu seiner Einheit, wo eine zugeordnet ist"
      loaded={loaded}
      requests={[request]}
      shows="die Zuschläge auf einer Karte"
      dataset={AWARDS_DATASET}
      attribution={BOUNDARIES_ATTRIBUTION}
      table={(awards) => ({
        columns: [
          { name: 'Zuschlag' },
          { name: 'Breite', numeric: true, digits: 4 },
          { name: 'Länge', numeric: true, digits: 4 },
          { name: 'Genauigkeit' },
        ],
        rows: awards
          .filter(hasPlace)
          .map((award) => [award.zuschlagsnummer, award.latitude, award.longitude, accuracyName(award.geoGenauigkeit)]),
      })}
      empty={(awards) => (awards.some(hasPlace) ? null : 'Von keinem Zuschlag ist der Ort bekannt.')}
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
  if (without === 0) return 'Jeder Zuschlag hat einen Ort.';
  return `${plural(without, 'Zuschlag steht', 'Zuschläge stehen')} nicht auf der Karte: ohne bekannten Ort.`;
}

function AwardsMap({ awards, name }: { awards: readonly Award[]; name: string }) {
  const { go, at } = useNavigation();
  const places = useMemo(() => awards.flatMap(placeOf), [awards]);
  const open = (id: string): void => {
    const [unit] = awards.find((award) => String(award.id) === id)?.mastrNummern ?? [];
    if (unit !== undefined) go(at(`einheiten/${unit}`));
  };
  return <PlaceMap label={`Karte der Zuschläge: ${name}`} places={places} noun="Zuschläge" onChoose={open} />;
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
      title: zuschlagsnummer ?? 'Zuschlag ohne Nummer',
      lines: [
        gemeinde ?? landkreis ?? 'Ort nicht genannt',
        ...(gebotsmengeKw === null ? [] : [`${megawatts(gebotsmengeKw / 1000)}\u202fMW`]),
        accuracyName(geoGenauigkeit),
      ],
      kind: name,
      color,
    },
  ];
}
