/**
 * The text format of Prometheus (0.0.4), read strictly: what a scraper refuses, or would take for something else, throws.
 */

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? ([^ ]+)$`);

/** Families by name; each is announced by HELP and TYPE, stands in one piece, and repeats no sample. */
export function readExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  const families = new Map<string, Family & { readonly samples: Sample[] }>();
  const seen = new Set<string>();
  let current: (Family & { readonly samples: Sample[] }) | null = null;
  let help: readonly [string, string] | null = null;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, keyword, name, rest] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`).exec(line) ?? [];
    if (keyword === 'HELP') help = [name!, rest!];
    else if (keyword === 'TYPE') {
      if (help?.[0] !== name) throw new Error(`${name} has no help`);
      if (families.has(name!)) throw new Error(`${name} comes twice`);
      current = { name: name!, type: rest!, help: help![1], samples: [] };
      families.set(name!, current);
    } else {
      const sample = sampleOf(line);
      if (current === null || !belongs(sample.name, current)) throw new Error(`${line} stands under ${current?.name}`);
      const key = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(key)) throw new Error(`${key} comes twice`);
      seen.add(key);
      current.samples.push(sample);
    }
  }
  return families;
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`${line} is no sample`);
  const pairs = [...labels.matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]);
  return { name, labels: Object.fromEntries(pairs), value: numberOf(value, line) };
}

/** Prometheus takes what Go takes for a number: `nan` and `inf` in letters of any case. */
function numberOf(text: string, line: string): number {
  if (/^nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const number = Number(text);
  if (Number.isNaN(number)) throw new Error(`${line} has no number`);
  return number;
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

const belongs = (name: string, { name: family, type }: Family): boolean =>
  (SUFFIXES[type] ?? ['']).some((suffix) => name === family + suffix);

/** The value of the one sample with these labels; undefined where there is none. */
export function reading(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
  return family?.samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;
}
