import { plainSigns } from '../../sql/register/mastr-number.ts';
import type { Archive } from '../archive/archive.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { locationOf, type Member } from '../archive/member.ts';
import type { ScanHandler, ScannedRecord } from '../scan/handler.ts';
import { Scanner } from '../scan/scanner.ts';
import { textOf } from '../scan/text.ts';
import { type Finding, Findings, type RecordLocation } from '../stage/findings.ts';
import type { Catalogues } from '../stage/labels.ts';
import { CATALOGUE_KINDS } from '../stage/tables.ts';
import { scanMember } from './read-member.ts';

/** The catalogues and system lists of an export: small files, read before all others. */

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

/** These elements of a record are read, and nothing else gets any further. By the last one role holders are known. */
const ELEMENTS = ['Id', 'Wert', 'Name', 'KatalogKategorieId', 'MarktakteurMastrNummer'] as const;

/** Texts by element; empty when the record has none. */
interface Row extends Readonly<Record<(typeof ELEMENTS)[number], string>> {
  /** Number of the record in its member, from 1. */
  readonly record: number;
}

/** Lists name their texts `Wert`, categories `Name`. */
const labelOf = (row: Row): string => row.Wert || row.Name;

/** Every id goes into a column of 32 bits. */
const MAX_ID = 0x7fff_ffff;

const isId = (text: string): boolean => /^[0-9]+$/.test(text) && Number(text) <= MAX_ID;

/**
 * Reads the catalogues of an export.
 * @throws ArchiveError when one is damaged, or there are no values: without them nothing of the export can be served
 */
export async function readCatalogues(archive: Archive): Promise<ReadCatalogues> {
  const rows: CatalogueRow[] = [];
  const members: ReadCatalogues['members'][number][] = [];
  const tables = new Map<string, Row[]>();
  for (const member of archive.members) {
    const { kind } = member;
    if (kind === null || !isCatalogueMember(member)) continue;
    const { records, fault, findings } = await readRows(archive, member);
    if (holdsRoles(records)) continue;
    if (fault !== null)
      throw new ArchiveError(`${locationOf(archive.path, member)} is no sound catalogue: it has ${fault}`);
    const valid = records.filter((row) => hasId(row, findings) && labelOf(row) !== '');
    const refused = records.length - valid.length;
    members.push({
      member: member.index,
      bytes: member.bytes,
      read: records.length,
      refused,
      findings: findings.list(),
    });
    tables.set(kind, [...(tables.get(kind) ?? []), ...valid]);
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

/** A text that is no id is not repeated: nothing says that it is one of the register's. */
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
  (member.kind !== 'Marktrollen' || member.bytes < MAX_LIST_OF_ROLES);

const MAX_LIST_OF_ROLES = 4 << 20;

/** Since every label depends on it, a catalogue with any fault is refused. */
class Rows implements ScanHandler {
  readonly records: Row[] = [];
  readonly findings = new Findings();
  fault: string | null = null;

  record({ units, start, end, seen, stamp }: ScannedRecord): void {
    const texts = ELEMENTS.map((element, slot) => {
      const text = seen[slot] === stamp ? textOf(units, start[slot] ?? 0, end[slot] ?? 0) : '';
      return [element, plainSigns(text).replace(/\s+/g, ' ').trim()];
    });
    const record = this.records.length + 1;
    this.records.push({ ...(Object.fromEntries(texts) as Record<(typeof ELEMENTS)[number], string>), record });
  }

  broken(reason: string): void {
    this.fault ??= `a record that is broken: ${reason}`;
  }

  stray(): void {
    this.fault ??= 'text or an element where none belongs';
  }

  forbidden(element: string, characters: number): void {
    if (ELEMENTS.some((known) => known === element)) {
      this.findings.add('zeichen_verboten', element, {}, this.#locateNext, characters);
    }
  }

  unknown(): void {}

  /** Locates the record that is being read and has not been counted yet. */
  readonly #locateNext = (): RecordLocation => ({ example: null, record: this.records.length + 1 });
}

async function readRows(archive: Archive, member: Member): Promise<Rows> {
  if (member.bytes > MAX_CATALOGUE) {
    const size = `${member.bytes} bytes; a catalogue has at most ${MAX_CATALOGUE}`;
    throw new ArchiveError(`${locationOf(archive.path, member)} is too large: ${size}`);
  }
  const rows = new Rows();
  const slots = new Map(ELEMENTS.map((element, slot) => [element, slot]));
  await scanMember(archive, member, new Scanner(slots, rows, { kind: member.kind }), () => {});
  return rows;
}

/** Bytes, unpacked; that of the values has some 400,000. */
const MAX_CATALOGUE = 16 << 20;
