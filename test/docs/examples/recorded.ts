import { EXAMPLE_ADDRESS, type ExampleAnswer } from '../../../api/docs/openapi/examples.ts';
import { VECTOR_TILE } from '../../../api/tiles/encode.ts';
import type { ServiceResponse } from '../../support/service.ts';
import { decoded, type TileOf } from '../../support/tiles.ts';

/**
 * An answer as the examples keep it: what differs from run to run has a fixed value of the same form, and what is long
 * is shortened, in a way that stays valid.
 */
export function recorded(operationId: string, answer: ServiceResponse, address: string): ExampleAnswer {
  const media = (answer.headers.get('content-type') ?? '').replace(/;.*$/, '');
  const text = answer.text
    .replaceAll(address, EXAMPLE_ADDRESS)
    .replaceAll(/(\/(?:portal|share)\/)[\w-]{40,}/g, `$1${VARYING.token}`)
    .replaceAll(/mds_(live|test)_\w{40,}/g, `mds_$1_${VARYING.prefix}_<secret>`);
  const isTile = media === VECTOR_TILE;
  const isJson = isTile || /json$/.test(media);
  const { body, notes } = isTile
    ? shortened(decoded(answer, TILE_OF_EXAMPLES))
    : isJson
      ? shortened(ABRIDGED[operationId]?.(JSON.parse(text)) ?? JSON.parse(text))
      : begun(text);
  return {
    status: answer.status,
    media,
    ...(isTile ? { shortened: 'Decoded, with the first features of each layer.' } : {}),
    ...(isTile || notes.length === 0 ? {} : { shortened: `Shortened: ${notes.join(', ')}.` }),
    body: isJson ? stable(body) : body,
  };
}

/** Where features lie is said by their tile. */
const TILE_OF_EXAMPLES: TileOf = [6, 33, 22];

/** Answers of which only a part can be shown. */
const ABRIDGED: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
  'docs.openapi': ({ openapi, info, servers }) => ({
    openapi,
    info: { title: (info as { title: string }).title, version: (info as { version: string }).version },
    servers,
    paths: {},
  }),
};

interface Shortened {
  readonly body: unknown;
  /** The parts that were left out, by their place. */
  readonly notes: readonly string[];
}

const MOST_LINES = 3;

/** The beginning of a text. */
function begun(text: string): Shortened {
  const lines = text.split('\n');
  if (lines.length <= MOST_LINES) return { body: text, notes: [] };
  return { body: `${lines.slice(0, MOST_LINES).join('\n')}\n…`, notes: [`to the first ${MOST_LINES} lines`] };
}

/** Lists up to this length are shown whole; of longer ones, the first items. */
const MOST_ITEMS = 4;
const ITEMS_OF_MORE = 3;

function shortened(value: unknown, path = ''): Shortened {
  if (typeof value !== 'object' || value === null) return { body: value, notes: [] };
  if (Array.isArray(value)) {
    const long = value.length > MOST_ITEMS;
    const items = (long ? value.slice(0, ITEMS_OF_MORE) : value).map((item) => shortened(item, path));
    const note = long ? [`\`${path}\` to ${ITEMS_OF_MORE} of ${value.length} entries`] : [];
    return {
      body: items.map(({ body }) => body),
      notes: [...new Set([...note, ...items.flatMap(({ notes }) => notes)])],
    };
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, shortened(member, path === '' ? name : `${path}.${name}`)] as const,
  );
  return {
    body: Object.fromEntries(members.map(([name, { body }]) => [name, body])),
    notes: members.flatMap(([, { notes }]) => notes),
  };
}

/** Values of members that differ from run to run, and what stands for them. */
const VARYING: Readonly<Record<string, unknown>> = {
  cursor: 'Zk3uV0pQeEo1hR8sYt2wLHsia2V5IjpbNjIwMCwiU0VFOTIzNjY1NjcwODA2Il19',
  token: 'q8Xw1nPzTt6yKc0RmB4dSXsidmVyc2lvbiI6IjIwMjYxMTAxLTAwMDEifQ',
  prefix: 'Kd7xQ2mA',
  keyPrefix: 'Kd7xQ2mA',
  revoked: 'Kd7xQ2mA',
  schluesselPraefix: 'Kd7xQ2mA',
  abfrageHash: '5f0d7c1e9b3a48265f0d7c1e9b3a48265f0d7c1e9b3a48265f0d7c1e9b3a4826',
  // The secret of the published test vector of Standard Webhooks.
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  dauerMs: 4,
  periodStart: '2026-10-31T23:00:00.000Z',
  start: '2026-10-31T23:00:00.000Z',
  periodEnd: '2026-11-30T23:00:00.000Z',
  end: '2026-11-30T23:00:00.000Z',
};

/** Times at which the test did something. */
const TIMES = [
  'zeitpunkt',
  'angelegtAm',
  'beantwortetAm',
  'geaendertAm',
  'entferntAm',
  'occurredAt',
  'hinzugefuegtAm',
  'aktiviertAm',
  'freigegebenAm',
  'createdAt',
  'enabledAt',
  'revokedAt',
  'expiresAt',
  'updatedAt',
  'checkedAt',
  'watermark',
  'gebautAm',
  'veroeffentlichtAm',
];
const TIME = '2026-11-02T08:00:00.000Z';

/** Ids that examples name stay; those of other records are numbered by their first occurrence. */
const FIXED_IDS = '019a0f6e-7c1b-7d52-9f0e-';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** Gives what varies its fixed value; equal ids stay equal. */
function stable(value: unknown, ids = new Map<string, string>(), name = ''): unknown {
  if (typeof value === 'string') {
    if (name in VARYING) return VARYING[name];
    if (TIMES.includes(name)) return TIME;
    return value.replaceAll(UUID, (id) => {
      if (id.startsWith(FIXED_IDS)) return id;
      const known = ids.get(id) ?? `${FIXED_IDS}${String(ids.size + 1).padStart(12, '0')}`;
      ids.set(id, known);
      return known;
    });
  }
  if (typeof value === 'number') return VARYING[name] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => stable(item, ids, name));
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, stable(inner, ids, member)]));
}
