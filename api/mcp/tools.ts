import type { JSONObject } from '@modelcontextprotocol/server';
import { fold } from '../../sql/query/fold.ts';
import type { OpenApiDocument, OperationEntry, ParameterEntry } from '../docs/openapi/shape.ts';
import { joinList } from '../wire/parameters.ts';
import { DECLARED, type Declaration, type Rows, USUAL_FILTERS } from './declared.ts';

/**
 * What assistants may ask: few tools, each over one operation of the interface, whose parameters and their words are those of the
 * operation. Nothing here reads the register; what a key may ask, and how often, is decided where the operation is called.
 */

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: InputSchema;
  readonly rows: Rows | null;
  readonly without: ReadonlySet<string>;
  /** Makes questions to the interface of what an assistant has sent. @throws NotAsked */
  questions(given: Given): readonly Question[];
}

type Given = Readonly<Record<string, unknown>>;

export interface Question {
  /** What the answer is about, where a tool asks several questions. */
  readonly about: string | null;
  /** Path and query. */
  readonly address: string;
  /** Chooses among the rows of the answer; absent = all. */
  keeps?(row: unknown): boolean;
}

/** What was sent cannot be asked; the message says what can. */
export class NotAsked extends Error {
  override name = 'NotAsked';
}

/** JSON schema of what a tool takes. */
interface InputSchema {
  readonly type: 'object';
  readonly properties: Record<string, JSONObject>;
  readonly required?: string[];
  readonly additionalProperties: false;
  readonly [other: string]: unknown;
}

/** Derives the tools from the description of the interface. @throws Error where one names what the interface does not have */
export function toolsOf({ paths }: OpenApiDocument): readonly Tool[] {
  const described = new Map<string, Described>(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((entry) => [entry.operationId, { path, entry }] as const),
    ),
  );
  const operation = (id: string): Described => {
    const found = described.get(id);
    if (found === undefined) throw new Error(`A tool asks ${id}, which the interface does not have`);
    return found;
  };
  return [
    ...Object.entries(DECLARED).map(([name, declared]) => toolOf(name, declared, operation(declared.operation))),
    comparison(operation(COMPARED)),
    fieldSearch(operation(FIELDS).path),
  ];
}

interface Described {
  readonly path: string;
  readonly entry: OperationEntry;
}

function toolOf(name: string, declared: Declaration, { path, entry }: Described): Tool {
  const { title, description, defaults = {}, rows = null, without = [] } = declared;
  const { input, queryOf } = inputOf(name, declared, entry);
  const { limit } = input.properties;
  if (limit !== undefined && rows !== null) input.properties.limit = { ...limit, maximum: rows.most };
  return {
    ...{ name, title, description, input, rows, without: new Set(without) },
    questions(given) {
      const query = queryOf(given);
      for (const [one, value] of Object.entries(defaults)) if (!query.has(one)) query.set(one, value);
      // The next page begins after the last row that was asked for: none of them may be left out.
      if (rows !== null && Number(query.get('limit')) > rows.most) query.set('limit', String(rows.most));
      return [{ about: null, address: addressOf(path, query) }];
    },
  };
}

/** The schema of what a tool takes, and what makes a query of it. */
function inputOf(
  name: string,
  { parameters, takesFilters = false }: Pick<Declaration, 'parameters' | 'takesFilters'>,
  entry: OperationEntry,
  except: readonly string[] = [],
): { input: InputSchema; queryOf: (given: Given) => URLSearchParams } {
  const known = new Map(entry.parameters.map((parameter) => [parameter.name, parameter]));
  const shown = parameters.map((one) => {
    const parameter = known.get(one);
    if (parameter === undefined) throw new Error(`${name} takes ${one}, which ${entry.operationId} does not`);
    return parameter;
  });
  const further = entry.parameters
    .filter((one) => takesFilters && isFilter(one) && ![...parameters, ...except].includes(one.name))
    .map((one) => one.name);
  const required = shown.filter((one) => one.required).map((one) => one.name);
  return {
    input: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          shown.map((one) => [
            one.name,
            { ...(one.schema as JSONObject), description: firstSentence(one.description) },
          ]),
        ),
        ...(takesFilters ? { weitere: furtherFilters() } : {}),
      },
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    queryOf(given) {
      const { weitere, ...own } = given;
      const sent = [
        ...Object.entries(own),
        ...(takesFilters ? filtersIn(weitere) : weitere === undefined ? [] : [['weitere', weitere] as const]),
      ];
      const query = new URLSearchParams();
      for (const [one, value] of sent) {
        if (!parameters.includes(one) && !further.includes(one))
          throw new NotAsked(
            `${name} does not take ${one}. It takes ${[...parameters, ...further].join(', ') || 'nothing'}`,
          );
        if (query.has(one)) throw new NotAsked(`${name} takes ${one} once: it stands in weitere as well`);
        for (const each of Array.isArray(value) ? value : [value]) {
          if (each === null || each === undefined) continue;
          const text = textOf(one, each);
          // Each item of a list is one value, whatever commas it has.
          query.append(one, Array.isArray(value) && !VALUES_AS_THEY_ARE.has(one) ? joinList([text]) : text);
        }
      }
      return query;
    },
  };
}

/** Parameters whose values stand as they are, one in each repetition. */
const VALUES_AS_THEY_ARE = new Set(['region']);

/** @throws NotAsked */
function filtersIn(weitere: unknown): [string, unknown][] {
  if (weitere === undefined || weitere === null) return [];
  if (typeof weitere === 'object' && !Array.isArray(weitere)) return Object.entries(weitere);
  throw new NotAsked('weitere takes an object of filters by name, such as {"windHersteller": "Enercon"}');
}

function textOf(name: string, value: unknown): string {
  if (name === 'polygon' && typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'object') throw new NotAsked(`${name} takes a text, a number, true or false, or a list of them`);
  return String(value);
}

const furtherFilters = (): JSONObject => ({
  type: 'object',
  description: 'Further filters by name, as find_fields finds them: {"windHersteller": "Enercon"}',
  additionalProperties: { type: ['string', 'number', 'boolean', 'array', 'object'] },
});

/** Parameters that choose the form of an answer, or that mirrors use, are nothing to ask by. */
const NO_FILTERS = new Set([
  ...['format', 'dialekt', 'quelle', 'updatedSince', 'syncToken', 'include', 'expand', 'eventId', 'fields', 'sort'],
  ...['limit', 'cursor'],
]);

const isFilter = ({ in: where, name }: ParameterEntry): boolean => where === 'query' && !NO_FILTERS.has(name);

const firstSentence = (description: string): string => description.split(/(?<=\.) /)[0] ?? description;

/** @throws NotAsked where a part of the path is missing */
function addressOf(path: string, query: URLSearchParams): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name);
    if (value === null) throw new NotAsked(`${name} is missing`);
    query.delete(name);
    return encodeURIComponent(value);
  });
  return query.size === 0 ? filled : `${filled}?${query}`;
}

const COMPARED = 'aggregations.show';

const LEVELS = ['bundesland', 'landkreis', 'gemeinde'];

const MOST_PLACES = 8;

/** Counts the same units in several places, each by a question of its own. */
function comparison({ path, entry }: Described): Tool {
  const filters = USUAL_FILTERS.filter((one) => !LEVELS.includes(one));
  const name = 'compare_places';
  const { input, queryOf } = inputOf(name, { parameters: ['stand', ...filters], takesFilters: true }, entry, LEVELS);
  return {
    name,
    title: 'Compare places',
    description:
      'Number, capacity (kW) and storage energy (kWh) of the assets that meet filters in each of up to eight places, with inhabitants, area, and figures per 1,000 inhabitants and per km².',
    input: {
      ...input,
      properties: {
        orte: {
          type: 'array',
          items: { type: 'string', pattern: `^(${LEVELS.join('|')}):.+$` },
          minItems: 1,
          maxItems: MOST_PLACES,
          description: 'Places as level:value, such as landkreis:08118 or bundesland:Bayern; find_place has the values',
        },
        ...input.properties,
      },
      required: ['orte'],
    },
    // A name may be that of several places, which have a group each.
    rows: { at: 'data.groups', most: MOST_PLACES },
    without: new Set(['truncated']),
    questions({ orte, ...given }) {
      const places: unknown[] = Array.isArray(orte) ? orte : [];
      if (places.length === 0 || places.length > MOST_PLACES)
        throw new NotAsked(`orte takes 1 to ${MOST_PLACES} places, such as landkreis:08118`);
      return places.map((place) => {
        const [level = '', ...rest] = String(place).split(':');
        const value = rest.join(':');
        if (!LEVELS.includes(level) || value === '')
          throw new NotAsked(`orte takes places as level:value, with one of ${LEVELS.join(', ')} as level`);
        const query = queryOf(given);
        query.set('groupBy', level);
        query.set(level, value);
        return { about: String(place), address: addressOf(path, query) };
      });
    },
  };
}

const FIELDS = 'units.fields';

/** Finds fields by words of their description: the catalogue is too long to be read as a whole. */
const fieldSearch = (path: string): Tool => ({
  name: 'find_fields',
  title: 'Find fields and filters',
  description:
    'Finds the fields of an asset by a word of their name or meaning, in German or English: their unit of measure, their values, and the filters that take them (for weitere, sort and fields of other tools).',
  input: {
    type: 'object',
    properties: {
      wort: { type: 'string', minLength: 2, description: 'A word, such as Hersteller, hub height or Balkon' },
    },
    required: ['wort'],
    additionalProperties: false,
  },
  rows: { at: 'data', most: 25 },
  without: new Set(['beschreibung', 'hinweis', 'lesbar', 'verfuegbar', 'personenbezug', 'block']),
  questions({ wort }) {
    if (typeof wort !== 'string' || wort.length < 2) throw new NotAsked('wort takes a text of two letters or more');
    const looked = fold(wort);
    return [{ about: null, address: path, keeps: (row) => fold(JSON.stringify(row)).includes(looked) }];
  },
});
