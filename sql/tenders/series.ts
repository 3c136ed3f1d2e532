import type { Series } from './award-number.ts';
import type { Procedure, Technology } from './technologies.ts';

/** Technology and procedure of each series of award numbers. */
export const SERIES_OF: Readonly<Record<Series, { readonly technologie: Technology; readonly verfahren: Procedure }>> =
  {
    FFA: { technologie: 'SOLAR_FREIFLAECHE', verfahren: null },
    SOL: { technologie: 'SOLAR_FREIFLAECHE', verfahren: null },
    SDA: { technologie: 'SOLAR_DACH', verfahren: null },
    WIN: { technologie: 'WIND', verfahren: null },
    BIO: { technologie: 'BIOMASSE', verfahren: null },
    BME: { technologie: 'BIOMETHAN', verfahren: null },
    INN: { technologie: 'INNOVATION', verfahren: null },
    GEM: { technologie: 'GEMEINSAM', verfahren: null },
    GEE: { technologie: 'SOLAR_FREIFLAECHE', verfahren: 'grenzueberschreitend' },
    KWK: { technologie: 'KWK', verfahren: null },
    IKWK: { technologie: 'KWK', verfahren: 'iKWK' },
  };

/** Titles, sheet names and the column "Verfahren", the special before the general. */
const NAMES: readonly (readonly [pattern: RegExp, series: Series])[] = [
  [/i-?kwk|innovative\w* kwk/i, 'IKWK'],
  [/\bkwk/i, 'KWK'],
  [/innovation/i, 'INN'],
  [/biomethan/i, 'BME'],
  [/biomasse/i, 'BIO'],
  [/grenz(?:ü|ue)berschreitend|ge(?:ö|oe)ffnete/i, 'GEE'],
  [/gemeinsam/i, 'GEM'],
  [/zweite[ns]? segment|2\. ?segment|segment 2|solar ?2|dachanlagen|geb(?:ä|ae)ude|l(?:ä|ae)rmschutz/i, 'SDA'],
  [/solar|freifl(?:ä|ae)che|photovoltaik|\bpv\b/i, 'SOL'],
  [/onshore|wind(?!.*(?:see|offshore))/i, 'WIN'],
];

/** The procedure that a title names; null when it names none, or that of wind at sea, whose results are no lists. */
export function procedureNamed(title: string): { technologie: Technology; verfahren: Procedure } | null {
  const readable = title.replaceAll('_', ' ');
  const series = NAMES.find(([pattern]) => pattern.test(readable))?.[1];
  return series === undefined ? null : SERIES_OF[series];
}
