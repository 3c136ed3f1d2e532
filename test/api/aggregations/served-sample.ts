import { publishSample, warehouseFolder, withTables } from '../../support/built.ts';
import { type Level, type Located, type Place, placesOf } from '../../support/places.ts';
import { type Subject, serve } from '../../support/service.ts';
import { unitRows } from '../../support/unit-rows.ts';
import type { PlaceOfUnit, Unit } from './naive.ts';

/** The sample, served, and its units in plain code. */
export interface Sample {
  readonly path: string;
  readonly service: Subject;
  readonly units: readonly Unit[];
  readonly places: ReadonlyMap<string, Place<Unit>[]>;
  /** By level. */
  readonly placeOfUnit: ReadonlyMap<string, PlaceOfUnit>;
  stop(): Promise<void>;
}

export async function servedSample(): Promise<Sample> {
  const warehouse = warehouseFolder();
  await publishSample(warehouse.path);
  const units: readonly Unit[] = await withTables(warehouse.path, async (tables) => {
    const masks = await tables<{ mastrNummer: string; signals: number; auffaelligkeiten: number | null }>(
      'SELECT mastrNummer, signals, auffaelligkeiten FROM units',
    );
    const rows = await unitRows(tables);
    return masks.map((row) => ({ ...rows.get(row.mastrNummer), ...row }));
  });
  const places = new Map<string, Place<Unit>[]>();
  const placeOfUnit = new Map<string, PlaceOfUnit>();
  for (const level of ['landkreis', 'gemeinde'] as const satisfies Level[]) {
    const found = placesOf(units as unknown as readonly (Unit & Located)[], level) as Place<Unit>[];
    places.set(level, found);
    placeOfUnit.set(level, new Map(found.flatMap((place) => place.units.map((unit) => [unit, place] as const))));
  }
  const service = await serve(warehouse.path, { TODAY: '2026-11-01' });
  return {
    ...{ path: warehouse.path, service, units, places, placeOfUnit },
    async stop() {
      await service.stop();
      warehouse.remove();
    },
  };
}
