import { readFileSync } from 'node:fs';
import { splitCsv } from '../../ingest/tables/csv.ts';
import { normalised, type Value } from './values.ts';

/** Normal forms of manufacturers and types of wind turbines, by the rules of the catalogue read by another engine. */

const rules = (file: string): (readonly string[])[] =>
  splitCsv(readFileSync(new URL(`../../sql/catalogue/${file}`, import.meta.url), 'utf8'))
    .slice(1)
    .map(({ cells }) => cells);

const MANUFACTURERS = new Map(
  rules('wind-manufacturers.csv').map(([spelling, name]) => [spelling!.toLowerCase(), name!]),
);

const TYPES = rules('wind-types.csv').map(([manufacturer, pattern, type]) => ({
  manufacturer: manufacturer!,
  pattern: new RegExp(`^(?:${pattern})$`, 'i'),
  type: type!.replaceAll('\\', '$'),
}));

/** `windHersteller` and `windTypenbezeichnung` of what the register has. */
export function windNames(manufacturer: Value | undefined, type: Value | undefined) {
  const maker = typeof manufacturer === 'string' ? normalised(manufacturer) : null;
  const model = typeof type === 'string' ? normalised(type) : null;
  const windHersteller = maker === null ? null : (MANUFACTURERS.get(maker.toLowerCase()) ?? maker);
  const rule =
    model === null
      ? undefined
      : TYPES.find((one) => ['', windHersteller].includes(one.manufacturer) && one.pattern.test(model));
  return {
    windHersteller,
    windTypenbezeichnung: model !== null && rule !== undefined ? model.replace(rule.pattern, rule.type) : model,
  };
}
