import { UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { JsonSchema, OpenApiDocument, OperationEntry, ParameterEntry } from '../openapi/shape.ts';
import { type Member, memberList, membersOf } from './schema.ts';

/** Shows what a caller may send: in the path, in the query, in headers, in the body. Filters stand in groups of their blocks. */

type Schemas = OpenApiDocument['components']['schemas'];

/** Fewer are easier to read without groups. */
const MANY = 20;

/** Titles of the blocks of unit fields, in the order of the page. Null: the fields that every unit has. */
const BLOCK_TITLES = new Map<string | null, string>([
  [null, 'Filters: the unit'],
  ['standort', 'Filters: place'],
  ['betreiber', 'Filters: operator'],
  ['termine', 'Filters: dates'],
  ['register', 'Filters: numbers of the register'],
  ['netz', 'Filters: grid'],
  ['genehmigung', 'Filters: permit'],
  ['technik', 'Filters: technology'],
  ['eeg', 'Filters: support (EEG)'],
  ['ausschreibungen', 'Filters: tenders'],
]);

const OWN = 'Parameters';

const PLACES = { path: 'In the path', query: 'In the query', header: 'In headers' } as const;

export function requestSection(entry: OperationEntry, schemas: Schemas): Html | null {
  const parts = (['path', 'query', 'header'] as const).flatMap((place) => {
    const members = entry.parameters.filter((parameter) => parameter.in === place).map(memberOf);
    return members.length === 0 ? [] : [html`<h3>${PLACES[place]}</h3>\n${grouped(members, schemas)}`];
  });
  const body = bodySchema(entry);
  if (body !== null) parts.push(html`<h3>In the body</h3>\n${grouped(anchored(body, schemas), schemas)}`);
  return parts.length === 0 ? null : html`<h2 id="request">Request</h2>\n${parts}`;
}

const memberOf = ({ name, description, required, schema }: ParameterEntry): Member => ({
  name,
  description,
  required,
  schema,
  anchor: name,
});

const bodySchema = ({ requestBody }: OperationEntry): JsonSchema | null =>
  requestBody?.content['application/json']?.schema ?? null;

const anchored = (schema: JsonSchema, schemas: Schemas): Member[] =>
  (membersOf(schema, schemas) ?? []).map((member) => ({ ...member, anchor: member.name }));

function grouped(members: readonly Member[], schemas: Schemas): Html {
  if (members.length <= MANY) return memberList(members, schemas);
  const groups = Map.groupBy(members, ({ name }) => {
    const filter = UNIT_FILTERS.get(name);
    return filter === undefined ? OWN : (BLOCK_TITLES.get(filter.field.block) ?? OWN);
  });
  return html`${[OWN, ...BLOCK_TITLES.values()].map((title) => {
    const inGroup = groups.get(title);
    if (inGroup === undefined) return null;
    return html`<details class="group"${title === OWN ? html` open` : null}><summary>${title} <small>${inGroup.length}</small></summary>
${memberList(inGroup, schemas)}</details>
`;
  })}`;
}
