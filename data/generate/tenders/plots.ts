/** Parcels of awards: how they are drawn, and the free texts in which operators register them. */

import { itemAt } from '../../../runtime/present.ts';
import { bits, pick, roll } from '../world/random.ts';
import type { Region } from '../world/regions.ts';
import { escapeText } from '../world/text.ts';

/** Parcels in one cadastral district (Gemarkung), in one of its fields (Flur) or in a district without fields. */
export interface Plot {
  readonly district: string;
  readonly field: number | undefined;
  /** Numbers of the parcels: `14/1`, `276`. */
  readonly parcels: readonly string[];
}

/** States in which many districts have no fields: Baden-Württemberg, Bayern, Saarland. */
const WITHOUT_FIELDS = [1402, 1403, 1412];

function parcelsFrom(base: number, draw: number, count: number): string[] {
  const first = 1 + (bits(base, draw) % 900);
  const parts = roll(base, draw + 1) < 0.5;
  const numbers = Array.from({ length: count }, (_, i) => {
    const number = first + i * (1 + (bits(base, draw + 2 + i) % 4));
    return parts && bits(base, draw + 20 + i) % 2 === 0
      ? `${number}/${1 + (bits(base, draw + 40 + i) % 9)}`
      : `${number}`;
  });
  return [...new Set(numbers)];
}

/** Parcels of an award: mostly in one district, sometimes in several fields of it or in a second district. */
export function drawPlots(base: number, region: Region): Plot[] {
  const fields = !WITHOUT_FIELDS.includes(region.state) || roll(base, 1) < 0.3;
  const field = fields ? 1 + (bits(base, 2) % 60) : undefined;
  const plots: Plot[] = [{ district: region.town, field, parcels: parcelsFrom(base, 10, 1 + (bits(base, 3) % 6)) }];
  const more = roll(base, 4);
  if (more < 0.15 && field !== undefined)
    plots.push({ district: region.town, field: field + 1, parcels: parcelsFrom(base, 110, 1 + (bits(base, 5) % 3)) });
  else if (more < 0.25) {
    const district = pick(base, 6, ['Oberdorf', 'Niederfeld', 'Altwiesen', 'Hinterberg', 'Neuhof']);
    plots.push({ district, field, parcels: parcelsFrom(base, 210, 1 + (bits(base, 7) % 3)) });
  }
  return plots;
}

/**
 * The parcels as an operator types them: in one of the spellings of the register, in rare cases with parcels that the award
 * does not name, or without some that it names. At least one is the same.
 */
function registered(base: number, plots: readonly Plot[]): string {
  const changed = roll(base, 1);
  const shown = plots.map((plot, i): Plot => {
    if (i > 0 || changed > 0.3) return plot;
    const parcels =
      changed < 0.15 && plot.parcels.length > 1
        ? plot.parcels.slice(1)
        : [...plot.parcels, String(2000 + (bits(base, 2) % 900))];
    return { ...plot, parcels };
  });
  const first = itemAt(shown, 0);
  if (shown.length > 1)
    return shown
      .map(({ district, field, parcels }) =>
        field === undefined
          ? `${parcels.join('; ')} (${district})`
          : `Flur ${field}: ${parcels.join('; ')} (${district})`,
      )
      .join('; ');
  if (first.field === undefined)
    return itemAt(
      [
        first.parcels.join(', '),
        `Flurnr ${first.parcels.join(';')}`,
        `Flurnummer ${first.parcels.join(', ')}`,
        `Fl. St. ${first.parcels.join(', ')}`,
        `keine Flur; ${first.parcels.join(', ')}`,
        `Flur-: ${first.parcels.join(', ')}`,
      ],
      bits(base, 3) % 6,
    );
  const list = first.parcels.join(', ');
  return itemAt(
    [
      `${first.field}: ${list}`,
      `Flur${first.field}: ${list}`,
      `Flur ${first.field}, Flurstücke ${first.parcels.join(' und ')}`,
      `Flur ${first.field}: ${first.parcels.map((parcel) => parcel.padStart(3, '0')).join('; ')}`,
      `Flur${first.field}: ${first.parcels.join(',&#13;&#10;')}.`,
      `Flur ${first.field} Flurstück ${list}`,
    ],
    bits(base, 13) % 6,
  );
}

/** Elements `Gemarkung` and `FlurFlurstuecknummern` of the units of an award, in the spelling of their operator. */
export function registeredPlace(base: number, plots: readonly Plot[]): string {
  const names = [...new Set(plots.map(({ district }) => district))];
  const district =
    names.length > 1 ? names.join(', ') : roll(base, 4) < 0.1 ? itemAt(names, 0).toUpperCase() : itemAt(names, 0);
  return (
    `<Gemarkung>${escapeText(district)}</Gemarkung>` +
    `<FlurFlurstuecknummern>${registered(base, plots)}</FlurFlurstuecknummern>`
  );
}
