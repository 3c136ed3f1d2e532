import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { openPromise } from 'yauzl';

/**
 * The export once more, naively: each member whole in memory, cut into records at their start tags, each record parsed on
 * its own. Shares nothing with the ingest, so that both can only agree where they are right.
 */

/** Element names to texts as they stand, white space and all. */
export type Row = Readonly<Record<string, string>>;

export interface RecountedMember {
  readonly name: string;
  /** Kind of file: the name without number and ending. */
  readonly kind: string;
  readonly part: number;
  /** Bytes, unpacked. */
  readonly bytes: number;
  readonly rows: readonly Row[];
  /** Records of which nothing can be taken, as they are not well-formed. */
  readonly refused: number;
  /** Characters that XML 1.0 forbids, by the element in which they stood. */
  readonly forbidden: ReadonlyMap<string, number>;
}

export interface MemberText {
  readonly name: string;
  readonly kind: string;
  readonly part: number;
  readonly bytes: number;
  readonly text: string;
}

/** The members as texts, in the order of kind and part. */
export async function memberTexts(path: string): Promise<MemberText[]> {
  const members: MemberText[] = [];
  const zip = await openPromise(path);
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const name = entry.fileName;
    const [, kind = '', part] = /^([A-Za-z]+?)(?:_([0-9]+))?\.xml$/.exec(name) ?? [];
    // By code units, as TextDecoder makes U+FFFD of a lone surrogate.
    const text = bytes.toString('utf16le').replace(/^\ufeff/, '');
    members.push({ name, kind, part: Number(part ?? 0), bytes: bytes.length, text });
  }
  return members.sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.part - b.part));
}

/** All members in the order of kind and part. */
export async function readExport(path: string): Promise<RecountedMember[]> {
  return (await memberTexts(path)).map(readMember);
}

function readMember({ text, ...member }: MemberText): RecountedMember {
  const rows: Row[] = [];
  const forbidden = new Map<string, number>();
  let refused = 0;
  for (const record of cutIntoRecords(text, member.kind)) {
    const clean = record.replace(FORBIDDEN, '').replace(REFERENCE, (text) => (isForbidden(text) ? '' : text));
    if (record.length <= MAX_RECORD_LENGTH && FLAT.test(clean)) rows.push(flatFieldsOf(clean));
    else if (record.length <= MAX_RECORD_LENGTH && isWellFormed(clean)) rows.push(fieldsOf(clean));
    else {
      refused++;
      continue;
    }
    if (clean !== record) countForbidden(record, forbidden);
  }
  return { ...member, rows, refused, forbidden };
}

/** The records with their tags. `<?xml …?><Root><Record>…</Record><Record>…</Record></Root>`, all on one line. */
export function cutIntoRecords(text: string, root: string): string[] {
  const begin = text.indexOf(`<${root}>`) + root.length + 2;
  const end = text.lastIndexOf(`</${root}>`);
  const content = text.slice(begin, end);
  const startTag = startTagIn(content);
  if (startTag === '') return [];
  const [damaged = '', ...records] = content.split(startTag);
  const whole = records.map((record) => startTag + record);
  return damaged.trim() === '' ? whole : [damaged, ...whole];
}

/** The tag that is most often followed by another one: the first record may be damaged. */
function startTagIn(content: string): string {
  const counts = new Map<string, number>();
  for (const [tag] of content.matchAll(/<\w+>(?=\s*<\w)/g)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0])[0];
}

/** No record is longer; what is takes its end with it. */
const MAX_RECORD_LENGTH = 262_144;

/** Everything but Char of XML 1.0, section 2.2. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** A record of fields that hold text only: well-formed at first sight, as nearly all are. */
const FLAT = /^<(\w+)>(?:<(\w+)>[^<&]*<\/\2>)*<\/\1>$/;

/** XML itself has five entities; the validator accepts others too. */
const isWellFormed = (record: string): boolean =>
  XMLValidator.validate(record) === true && !/&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);)/.test(record);

const REFERENCE = /&#(?:x([0-9a-fA-F]+)|([0-9]+));/g;

/** A reference to a character that XML forbids. */
function isForbidden(reference: string): boolean {
  const [, hexadecimal, decimal] = new RegExp(REFERENCE.source).exec(reference)!;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return code <= 0x10ffff && String.fromCodePoint(code).replace(FORBIDDEN, '') === '';
}

/** The last of repeated elements counts. */
function flatFieldsOf(record: string): Row {
  const row: Record<string, string> = {};
  for (const [, element, value] of record.slice(record.indexOf('>') + 1).matchAll(/<(\w+)>([^<]*)</g)) {
    row[element!] = value!;
  }
  return row;
}

const parser = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true });

/** Reads any record. */
function fieldsOf(record: string): Row {
  const [content] = Object.values(parser.parse(record) as Record<string, unknown>);
  const row: Record<string, string> = {};
  for (const [element, value] of Object.entries(content ?? {})) {
    if (element !== '#text') row[element] = String([value].flat().at(-1));
  }
  return row;
}

function countForbidden(record: string, forbidden: Map<string, number>): void {
  for (const [, element, value] of record.matchAll(/<(\w+)>([^<]*)(?=<)/g)) {
    const references = [...value!.matchAll(REFERENCE)].filter(([reference]) => isForbidden(reference));
    const count = (value!.match(FORBIDDEN)?.length ?? 0) + references.length;
    if (count > 0) forbidden.set(element!, (forbidden.get(element!) ?? 0) + count);
  }
}
