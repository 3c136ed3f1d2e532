import { XMLParser } from 'fast-xml-parser';
import { type Archive, ArchiveError, type Member, readMember } from '../archive/archive.ts';
import { codeUnits } from '../scan/decode.ts';
import { textOf } from '../scan/text.ts';
import type { Catalogues } from '../stage/labels.ts';
import { CATALOGUE_KINDS } from '../stage/tables.ts';

/** The catalogues and system lists of an export: small files, read whole by fast-xml-parser before all others. */

interface CatalogueRow {
  /** Name of the category, or of the system list. */
  readonly kategorie: string;
  readonly id: number;
  readonly wert: string;
}

export interface ReadCatalogues {
  readonly catalogues: Catalogues;
  readonly rows: readonly CatalogueRow[];
  /** Records in each member, and those that have no id or no text. */
  readonly members: readonly {
    readonly member: number;
    readonly bytes: number;
    readonly read: number;
    readonly refused: number;
  }[];
}

const SYSTEM_LISTS = ['Einheitentypen', 'Lokationstypen', 'Marktfunktionen', 'Marktrollen'];

/** Lists that exports before level 25.2 use without holding them; the ids were the same then (format reference 3.3). */
const FORMER_LISTS: Readonly<Record<string, readonly (readonly [id: number, label: string])[]>> = {
  Marktfunktionen: [
    [1, 'Stromnetzbetreiber'],
    [2, 'Anlagenbetreiber'],
    [3, 'Akteur im Strommarkt'],
    [4, 'Organisierter Marktplatz'],
    [5, 'Behörde, Verband, Institution'],
    [6, 'Sonstiger Marktakteur'],
    [7, 'Bundesnetzagentur'],
    [8, 'Gasnetzbetreiber'],
    [9, 'Akteur im Gasmarkt'],
    [10, 'Supportpartner'],
  ],
};

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  htmlEntities: true, // numeric references too
});

const WHOLE = /^[0-9]+$/;

/** A field that occurs twice in a record, or that is not flat, is no string. */
type Row = Readonly<Record<string, unknown>>;

const textIn = (value: unknown): string => (typeof value === 'string' ? normalised(value) : '');

/** Lists name their texts `Wert`, categories `Name`. */
const labelOf = (row: Row): string => textIn(row.Wert) || textIn(row.Name);

/**
 * Reads the catalogues of an export.
 * @throws ArchiveError when there are no catalogue values: without them nothing of the export can be served
 */
export async function readCatalogues(archive: Archive): Promise<ReadCatalogues> {
  const rows: CatalogueRow[] = [];
  const members: ReadCatalogues['members'][number][] = [];
  const tables = new Map<string, Row[]>();
  for (const member of archive.members) {
    if (!isCatalogueMember(member)) continue;
    const { bytes, records } = await readRecords(archive, member);
    if (holdsRoles(records)) continue;
    const valid = records.filter((row) => WHOLE.test(textIn(row.Id)) && labelOf(row) !== '');
    members.push({ member: member.index, bytes, read: records.length, refused: records.length - valid.length });
    tables.set(member.kind!, [...(tables.get(member.kind!) ?? []), ...valid]);
  }
  const categories = new Map((tables.get('Katalogkategorien') ?? []).map((row) => [textIn(row.Id), labelOf(row)]));
  const values = new Map<number, string>();
  for (const row of tables.get('Katalogwerte') ?? []) {
    const wert = labelOf(row);
    values.set(Number(row.Id), wert);
    const category = textIn(row.KatalogKategorieId);
    const kategorie = categories.get(category) ?? (WHOLE.test(category) ? `Kategorie ${category}` : 'ohne Kategorie');
    rows.push({ kategorie, id: Number(row.Id), wert });
  }
  if (values.size === 0) throw new ArchiveError(`${archive.path} has no catalogue values (Katalogwerte.xml)`);
  const systemLists = new Map<string, Map<number, string>>();
  for (const list of SYSTEM_LISTS) {
    const read = (tables.get(list) ?? []).map((row) => [Number(row.Id), labelOf(row)] as const);
    const entries = read.length > 0 ? read : (FORMER_LISTS[list] ?? []);
    systemLists.set(`SYSTEM ${list}.xml`, new Map(entries));
    for (const [id, wert] of entries) rows.push({ kategorie: list, id, wert });
  }
  return { catalogues: { values, systemLists }, rows, members };
}

/** Until level 25.2 Marktrollen.xml held the roles of actors, and was no catalogue: its records name the actor. */
const holdsRoles = (records: readonly Row[]): boolean => records.some((row) => 'MarktakteurMastrNummer' in row);

/** Roles of actors take many megabytes, and are not read whole to see what they are. */
const isCatalogueMember = (member: Member): boolean =>
  CATALOGUE_KINDS.some((kind) => kind === member.kind) &&
  (member.kind !== 'Marktrollen' || member.bytes < LARGEST_LIST_OF_ROLES);

const LARGEST_LIST_OF_ROLES = 4 << 20;

async function readRecords(archive: Archive, member: Member): Promise<{ bytes: number; records: Row[] }> {
  let text = '';
  for await (const units of codeUnits(readMember(archive, member))) text += textOf(units, 0, units.length);
  const [root] = Object.values(parse(text.replace(/^\ufeff/, ''), `${member.name} of ${archive.path}`));
  const records = Object.values((root ?? {}) as Record<string, Row | Row[]>).flat();
  return { bytes: member.bytes, records: records.filter((record) => typeof record === 'object') };
}

function parse(text: string, source: string): Record<string, unknown> {
  try {
    return parser.parse(text) as Record<string, unknown>;
  } catch {
    // The parser's own words quote the text.
    throw new ArchiveError(`${source} is no well-formed XML`);
  }
}

/** Both spellings of the ampersand occur inside one catalogue. */
const normalised = (text: string): string => text.replaceAll('\uff06', '&').replace(/\s+/g, ' ').trim();
