import { z } from 'zod';
import type { OrganisationRow } from '../../../sql/org/organisations.ts';
import type { StoreStatement } from '../../../sql/org/statement.ts';
import type { Asked } from '../common/organisation-command.ts';
import { storable, timestampOption, uuid } from '../common/schemas.ts';

/** Members as they are in a document, where optional ones may be absent. */
export type DocumentMembers = Readonly<Record<string, unknown>>;

/** A whole item of the document, and the item of the store with the same key. */
export interface Pair<Item> {
  /** Index in the document's list. */
  readonly index: number;
  readonly updated: Item;
  /** Null when the item is new. */
  readonly present: Item | null;
}

/** What is wrong with an item, and where in it; false stands for nothing. */
export type Complaint = readonly [message: string, ...place: PropertyKey[]] | false;

/**
 * A section is one list of a document: the records of one kind that belong to an organisation. A further kind needs a
 * further section in sections.ts; apply-document.ts does what all sections have in common.
 */
export interface Section<Item extends object = object> {
  /** Member of the document. */
  readonly name: string;
  /** The schema of a whole item. In a document `id`, where items have one, and the members of `defaults` may be absent. */
  readonly shape: z.ZodObject;
  /** The member that identifies an item in the document and in the store, or the members that do so together. */
  readonly key: string | readonly string[];
  /** True where a new item must bring its id, by which others know it, too. */
  readonly idRequired?: true;
  /** The table that has the ids of items; absent where nobody else may have the same. */
  readonly table?: StoreStatement;
  /** Defaults of a new item. @param now RFC 3339 */
  defaults(now: string): Partial<Item>;
  /** Keeps everybody else from changing the list until the transaction ends. */
  lock?(place: Asked): Promise<unknown>;
  /** The time of the change, RFC 3339, where it has to be later than every change before it; otherwise when the import began. */
  timeOfChange?(place: Asked): Promise<string>;
  /** All items of an organisation. */
  read(place: Asked): Promise<Item[]>;
  /** Inserts or replaces items. */
  write(place: Asked, items: readonly Item[]): Promise<unknown>;
  /** Adds to an item of a document what follows from the members that it has. */
  complete?(members: DocumentMembers): DocumentMembers;
  /** Gives those items of a document that name no id the id of a stored one that is the same. */
  identify?(items: readonly DocumentMembers[], stored: readonly Item[]): readonly DocumentMembers[];
  /** Overrides the update of a present item, where it is not just the document's members over its own. */
  merge?(present: Item, updated: Item): Item;
  /** What is wrong with the list that there would be, of which so many are new. */
  complaintOfList?(items: readonly Item[], created: number, organisation: OrganisationRow): string | false;
  /**
   * Reads what the rules for items need, and returns what finds the faults that the schema cannot find.
   * @param kept items of the store that the document does not name
   */
  rules?(place: Asked, pairs: readonly Pair<Item>[], kept: readonly Item[]): Promise<Rules<Item>>;
}

export type Rules<Item> = (
  updated: Item,
  present: Item | null,
  index: number,
) => readonly Complaint[] | Promise<readonly Complaint[]>;

/** Declares a section; its items type what it reads and writes, and whoever walks the sections knows no more of them. */
export const section = <Item extends object>(
  value: Section<Item> & { readonly key: keyof Item | readonly (keyof Item)[] },
): Section => value as unknown as Section;

/** What a section says of its own whose items are rows as the store has them. */
type RowSection<Row extends object> = Omit<Section<Row>, 'shape' | 'defaults' | 'read' | 'write'> &
  Partial<Pick<Section<Row>, 'read' | 'write'>> & {
    readonly key: keyof Row;
    readonly row: z.ZodObject & z.ZodType<Row>;
    /** Schemas of members whose texts have a form. */
    readonly members: { readonly [Name in keyof Row]?: z.ZodType };
    /** Besides those for the times of creation and change. */
    readonly defaults: Partial<Row>;
    readonly all?: (organisationId: string) => StoreStatement;
    readonly put?: (organisationId: string, rows: readonly Row[]) => StoreStatement;
  };

/** Declares a section of rows: its schema is that of the row, one statement reads all of them, and one writes. */
export const rowSection = <Row extends object>(value: RowSection<Row>): Section => {
  const { row, members, defaults, all, put, ...rest } = value;
  const shape = documented(row, members);
  const times = (now: string) => ('updatedAt' in shape.shape ? { createdAt: now, updatedAt: now } : { createdAt: now });
  return section<Row>({
    read: async ({ session, organisation }) => (all === undefined ? [] : session.rows(row, all(organisation.id))),
    write: async ({ session, organisation }, rows) => put && session.run(put(organisation.id, rows)),
    ...rest,
    shape,
    defaults: (now) => ({ ...defaults, ...times(now) }),
  });
};

/** The schema of a row of the store as a document has it, whose messages tell people what a value must be. */
export function documented<Shape extends z.ZodRawShape>(
  row: z.ZodObject<Shape>,
  members: { readonly [Name in keyof Shape]?: z.ZodType } = {},
): z.ZodObject<Shape> {
  const shape = Object.entries(row.shape).map(([name, schema]) => [name, members[name] ?? told(schema as z.ZodType)]);
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.ZodObject<Shape>;
}

function told(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return told(schema.unwrap() as z.ZodType).nullable();
  if (schema instanceof z.ZodArray) return z.array(told(schema.element as z.ZodType));
  if (schema instanceof z.ZodObject) return documented(schema);
  if (schema instanceof z.ZodEnum) return z.enum(schema.enum, `must be one of ${schema.options.join(', ')}`);
  if (schema instanceof z.ZodISODateTime) return timestampOption();
  if (schema instanceof z.ZodUUID) return uuid();
  return schema instanceof z.ZodString ? storable() : schema;
}

/** Complaints about names of something that the organisation does not have. */
export const unknownNames = (
  names: readonly (string | null)[],
  known: { has(name: string): boolean },
  what: string,
  member: string,
): Complaint[] =>
  names.map((name) => name !== null && !known.has(name) && [`names ${name}, ${what} of the organisation`, member]);
