import { type Content, type Html, html } from '../../pages/html.ts';
import { renderMarkdown } from '../../pages/markdown.ts';
import type { JsonSchema, OpenApiDocument } from '../openapi/shape.ts';

/** Shows JSON Schemas as lists of members, which can be opened where there is more inside. */

type Schemas = OpenApiDocument['components']['schemas'];

/** Deeper members are told by their type alone. */
const MAX_DEPTH = 5;

/** Open parts would hide the others when there are more members than this. */
const MANY = 12;

/** One thing that is sent or answered, with a name. */
export interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly description: string;
  /** Anchor of the member; null = it has none. */
  readonly anchor: string | null;
}

export const memberList = (members: readonly Member[], schemas: Schemas, depth = 0): Html =>
  html`<div class="members">
${members.map((member) => memberEntry(member, schemas, depth))}</div>`;

function memberEntry({ name, schema, required, description, anchor }: Member, schemas: Schemas, depth: number): Html {
  const resolved = resolve(schema, schemas);
  return html`<div class="member"${anchor === null ? null : html` id="${anchor}"`}>${nameOf(name, anchor)}<span class="type">${typeOf(resolved, schemas)}</span>${
    required ? html`<span class="required">required</span>` : null
  }
${inProse(description)}${facts(resolved, schemas)}${inside(resolved, schemas, depth)}</div>
`;
}

const nameOf = (name: string, anchor: string | null): Html =>
  anchor === null ? html`<span class="name">${name}</span>` : html`<a class="name" href="#${anchor}">${name}</a>`;

export const inProse = (text: string): Html | null => (text === '' ? null : renderMarkdown(text).html);

/** The members of an object, or of the objects in a list; null when there are none. */
export function membersOf(schema: JsonSchema, schemas: Schemas): Member[] | null {
  const object = objectIn(resolve(schema, schemas), schemas);
  if (object === null) return null;
  const { properties = {}, required = [] } = object;
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member as JsonSchema,
    required: required.includes(name),
    description: descriptionOf(member as JsonSchema, schemas),
    anchor: null,
  }));
}

const descriptionOf = (schema: JsonSchema, schemas: Schemas): string =>
  schema.description ?? resolve(schema, schemas).description ?? '';

function inside(schema: JsonSchema, schemas: Schemas, depth: number): Content {
  if (depth >= MAX_DEPTH) return null;
  const members = membersOf(schema, schemas);
  if (members === null || members.length === 0) return null;
  const isOpen = depth === 0 && members.length <= MANY;
  return html`<details${isOpen ? html` open` : null}><summary>${members.length} ${members.length === 1 ? 'member' : 'members'}</summary>
${memberList(members, schemas, depth + 1)}</details>`;
}

/** Follows a reference, and takes null away: it is told with the type. */
function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref } = schema;
  if ($ref === undefined) return schema;
  const name = $ref.split('/').at(-1) ?? '';
  return schemas[name] ?? {};
}

const alternatives = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] => (anyOf ?? oneOf ?? []) as JsonSchema[];

const isNull = ({ type }: JsonSchema): boolean => type === 'null';

/** The object that a schema is about: itself, one beside null, or the item of a list. */
function objectIn(schema: JsonSchema, schemas: Schemas): JsonSchema | null {
  if (schema.properties !== undefined) return schema;
  const { items } = schema;
  if (typeof items === 'object' && !Array.isArray(items))
    return objectIn(resolve(items as JsonSchema, schemas), schemas);
  const [only, ...others] = alternatives(schema).filter((one) => !isNull(one));
  return only === undefined || others.length > 0 ? null : objectIn(resolve(only, schemas), schemas);
}

/** The type in words: `string or null`, `list of objects`. */
function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const among = alternatives(schema);
  if (among.length > 0) {
    return [...new Set(among.map((one) => typeOf(resolve(one, schemas), schemas)))].join(' or ');
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const { type, format, items } = schema;
  if (type === 'array') {
    const item = typeof items === 'object' ? typeOf(resolve(items as JsonSchema, schemas), schemas) : 'value';
    return `list of ${item === 'any value' ? 'values' : plural(item)}`;
  }
  const types = [type ?? 'any value'].flat();
  return types.map((name) => FORMATS[`${name} ${format}`] ?? name).join(' or ');
}

const plural = (name: string): string => name.replace(/^(\w+)/, '$1s');

const FORMATS: Readonly<Record<string, string>> = {
  'string date': 'calendar day',
  'string date-time': 'timestamp',
  'string uri': 'address',
  'string uuid': 'UUID',
};

/** Says what a value must be, beyond its type. */
function facts(schema: JsonSchema, schemas: Schemas): Html | null {
  const { items } = schema;
  const item = typeof items === 'object' ? resolve(items as JsonSchema, schemas) : {};
  const values = (schema.enum ?? item.enum) as readonly unknown[] | undefined;
  const told = [
    values === undefined
      ? null
      : html`one of ${values.map((value, at) => html`${at === 0 ? '' : ', '}<code>${String(value)}</code>`)}`,
    rangeOf(schema),
    schema.default === undefined ? null : html`default <code>${String(schema.default)}</code>`,
    schema.maxLength === undefined ? null : `at most ${schema.maxLength} characters`,
    schema.maxItems === undefined ? null : `at most ${schema.maxItems} values`,
  ].filter((fact) => fact !== null);
  if (told.length === 0) return null;
  return html`<div class="values">${told.map((fact, at) => html`${at === 0 ? '' : ' · '}${fact}`)}</div>`;
}

function rangeOf({ minimum, maximum }: JsonSchema): string | null {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `at least ${minimum}`;
  return maximum === undefined ? null : `at most ${maximum}`;
}
