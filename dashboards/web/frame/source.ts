import { day, today } from '../format/dates.ts';
import { say } from '../format/language.ts';
import type { Dataset, DatasetList } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useAnswer } from '../v1/use-answer.ts';

const UNITS_DATASET = 'mastr_einheiten';

export const DATASETS: ApiRequest = { path: '/v1/datasets' };

/** The dataset behind a figure; null until it is known, and for keys that may not read it. */
export function useSource(name = UNITS_DATASET): Dataset | null {
  return shown(useAnswer<DatasetList>(DATASETS))?.data.find((dataset) => dataset.name === name) ?? null;
}

/** The day of the register; null until it is known. A key that may not read it gets today. */
export function useDayOfRegister(): string | null {
  const loaded = useAnswer<DatasetList>(DATASETS);
  const datasets = shown(loaded)?.data;
  if (datasets === undefined && loaded.state === 'loading') return null;
  return datasets?.find(({ name }) => name === UNITS_DATASET)?.asOf ?? today();
}

/**
 * „Stand 01.11.2026 · Quelle: Bundesnetzagentur, Marktstammdatenregister, dl-de/by-2-0, Daten verändert“; what is not of
 * the register alone is cited in the words of its dataset.
 */
export function sourceLine(dataset: Dataset | null, attribution?: string): string {
  const [license] = dataset?.lizenzen ?? [];
  const isOfRegister = dataset === null || license?.giltFuer.startsWith('Marktstammdatenregister') === true;
  if (!isOfRegister && dataset.quellenvermerk !== null) {
    const [found = ''] = /^.*?Daten verändert/.exec(dataset.quellenvermerk) ?? [dataset.quellenvermerk];
    const cited = found.replaceAll('§ ', '§\u00a0');
    return attribution === undefined ? cited : `${cited} · ${attribution}`;
  }
  const parts = [
    dataset?.erfunden === true ? say('Erfundene Beispieldaten', 'Invented sample') : null,
    dataset === null ? null : say(`Stand ${day(dataset.asOf)}`, `As of ${day(dataset.asOf)}`),
    say(
      `Quelle: ${license === undefined ? 'Bundesnetzagentur, Marktstammdatenregister' : `${license.bereitsteller}, ${license.giltFuer}`}`,
      `Source: ${license === undefined ? 'Bundesnetzagentur, Marktstammdatenregister' : `${license.bereitsteller}, ${license.giltFuer}`}`,
    ),
    license === undefined ? 'dl-de/by-2-0' : shortLicense(license.url),
    say('Daten verändert', 'data changed'),
    attribution ?? null,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/** The name by which a licence is cited: the end of its address, `dl-de/by-2-0`. */
const shortLicense = (url: string): string => new URL(url).pathname.replace(/^\//, '');
