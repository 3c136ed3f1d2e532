import { XMLParser } from 'fast-xml-parser';
import { type Archive, ArchiveError, type Member, readMember } from '../archive/archive.ts';
import { codeUnits } from '../scan/decode.ts';
import { allowedText, textOf } from '../scan/text.ts';
import { type Finding, Findings } from '../stage/findings.ts';
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
    readonly findings: readonly Finding[];
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

/** What is read of a record: nothing else gets any further. */
const FIELDS = ['Id', 'Wert', 'Name', 'KatalogKategorieId', 'MarktakteurMastrNummer'] as const;

/** A field that occurs twice in a record, or that is not flat, has no text. */
interface Row extends Readonly<Record<(typeof FIELDS)[number], string>> {
  /** Number of the record in its member, from 1. */
  readonly record: number;
}

/** Lists name their texts `Wert`, categories `Name`. */
const labelOf = (row: Row): string => row.Wert || row.Name;

/** Every id goes into a column of 32 bits. */
const LARGEST_ID = 0x7fff_ffff;

const isId = (text: string): boolean => /^[0-9]+$/.test(text) && Number(text) <= LARGEST_ID;

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
    const findings = new Findings();
    const { bytes, records } = await readRecords(archive, member, findings);
    if (holdsRoles(records)) continue;
    const valid = records.filter((row) => hasId(row, findings) && labelOf(row) !== '');
    const refused = records.length - valid.length;
    members.push({ member: member.index, bytes, read: records.length, refused, findings: findings.list() });
    tables.set(member.kind!, [...(tables.get(member.kind!) ?? []), ...valid]);
  }
  const categories = new Map((tables.get('Katalogkategorien') ?? []).map((row) => [row.Id, labelOf(row)]));
  const values = new Map<number, string>();
  for (const row of tables.get('Katalogwerte') ?? []) {
    const wert = labelOf(row);
    values.set(Number(row.Id), wert);
    const category = row.KatalogKategorieId;
    const kategorie = categories.get(category) ?? (isId(category) ? `Kategorie ${category}` : 'ohne Kategorie');
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

/** What is no id is told without its text: nothing says that it is one of the register's. */
function hasId({ Id, record }: Row, findings: Findings): boolean {
  if (isId(Id)) return true;
  findings.add(Id === '' ? 'schluessel_fehlt' : 'schluessel_ungueltig', 'Id', {}, () => ({ example: null, record }));
  return false;
}

/** Until level 25.2 Marktrollen.xml held the roles of actors, and was no catalogue: its records name the actor. */
const holdsRoles = (records: readonly Row[]): boolean => records.some((row) => row.MarktakteurMastrNummer !== '');

/** Roles of actors take many megabytes, and are not read whole to see what they are. */
const isCatalogueMember = (member: Member): boolean =>
  CATALOGUE_KINDS.some((kind) => kind === member.kind) &&
  (member.kind !== 'Marktrollen' || member.bytes < LARGEST_LIST_OF_ROLES);

const LARGEST_LIST_OF_ROLES = 4 << 20;

async function readRecords(
  archive: Archive,
  member: Member,
  findings: Findings,
): Promise<{ bytes: number; records: Row[] }> {
  let text = '';
  for await (const units of codeUnits(readMember(archive, member))) text += textOf(units, 0, units.length);
  const [root] = Object.values(parse(text.replace(/^\ufeff/, ''), `${member.name} of ${archive.path}`));
  const records = Object.values((root ?? {}) as Record<string, unknown>).flat();
  return {
    bytes: member.bytes,
    records: records.filter(isRecord).map((values, index) => readRow(values, index + 1, findings)),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function readRow(values: Readonly<Record<string, unknown>>, record: number, findings: Findings): Row {
  const read = (element: (typeof FIELDS)[number]): string => {
    const value = values[element];
    if (typeof value !== 'string') return '';
    const { text, forbidden } = allowedText(value);
    if (forbidden > 0) findings.add('zeichen_verboten', element, {}, () => ({ example: null, record }), forbidden);
    return normalised(text);
  };
  const texts = Object.fromEntries(FIELDS.map((element) => [element, read(element)]));
  return { ...(texts as Record<(typeof FIELDS)[number], string>), record };
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
