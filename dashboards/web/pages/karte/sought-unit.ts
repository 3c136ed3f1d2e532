import { useMemo } from 'preact/hooks';
import { carrierColor, kindName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { power } from '../../format/numbers.ts';
import type { Mark } from '../../map/point-layer.tsx';
import { pointAt } from '../../map/projection.ts';
import { around, type Box, square } from '../../map/view.ts';
import type { Region } from '../../regions/region.ts';
import type { Unit } from '../../v1/answers.ts';
import type { Answer } from '../../v1/client.ts';
import type { Problem } from '../../v1/problem.ts';
import { useAnswer } from '../../v1/use-answer.ts';

/** The unit that a link names, and where the map shows it. */
interface SoughtUnit {
  readonly isLoading: boolean;
  readonly failure: { readonly problem: Problem; readonly retry: () => void } | null;
  readonly region: Region | null;
  readonly mark: Mark | null;
  /** The part that is seen at first; null = everything. */
  readonly box: Box | null;
  /** A sentence about it. */
  readonly about: string | null;
}

type UnitAnswer = Answer<Unit & { readonly kreisschluessel?: string | null }>;

/** Kilometres to each side of a unit. */
const SURROUNDINGS = 8;

const NOTHING: SoughtUnit = { isLoading: false, failure: null, region: null, mark: null, box: null, about: null };

/** @param id null = no unit is sought */
export function useSoughtUnit(id: string | null): SoughtUnit {
  const loaded = useAnswer<UnitAnswer>(id === null ? null : { path: `/v1/units/${encodeURIComponent(id)}` });
  return useMemo(() => {
    if (id === null) return NOTHING;
    if (loaded.state === 'failed') return { ...NOTHING, failure: loaded };
    if (loaded.state === 'loading') return { ...NOTHING, isLoading: true };
    const { data } = loaded.value;
    const mark = markOf(data);
    const key = data.kreisschluessel ?? null;
    const name = data.name ?? data.mastrNummer;
    return {
      ...NOTHING,
      region: key === null ? null : { level: 'landkreis', value: key },
      mark,
      box: mark === null ? null : around([square(mark.point, SURROUNDINGS)]),
      about:
        mark === null
          ? say(
              `„${name}“ hat keine Koordinaten: unter 30 kW nennt das Register den Ort nicht. Gezeigt wird der Landkreis.`,
              `“${name}” has no coordinates: below 30 kW the register does not tell the place. Its district is shown.`,
            )
          : say(`Hervorgehoben: „${name}“.`, `Marked: “${name}”.`),
    };
  }, [id, loaded]);
}

function markOf(unit: Unit): Mark | null {
  const { mastrNummer, name, einheitTyp, bruttoleistungKw, betriebsStatus, ort, latitude, longitude } = unit;
  if (latitude === null || longitude === null) return null;
  const kind = kindName(einheitTyp, unit.energietraeger);
  const facts = [kind, power(bruttoleistungKw), betriebsStatus, ort];
  return {
    id: mastrNummer,
    point: pointAt({ latitude, longitude }),
    kind,
    color: carrierColor(einheitTyp),
    description: { title: name ?? mastrNummer, lines: [facts.filter((fact) => fact !== null).join(' · ')] },
  };
}
