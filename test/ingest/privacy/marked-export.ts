import { CATALOGUE_KINDS, tableOf } from '../../../ingest/stage/tables.ts';
import { fieldsOf, REGISTER_KINDS, type RegisterField } from '../../../sql/register/fields.ts';
import { asWritten, type Document, type RegisterExport, textOfDocument } from '../../support/exports.ts';
import { type ZipMember, zipOf } from '../../support/zip.ts';
import { MARK } from './mark.ts';

/** An export with the mark in every place where personal data could stand, in every kind of file. */

/** Personal elements whose texts are served all the same, and why: the only ones that do not bear the mark. */
export const SERVED: Readonly<Record<string, string>> = {
  NameStromerzeugungseinheit: 'the display name of a unit: interface.md, Unit, name',
  NameWindpark: 'searched and served as windpark: decisions.md, suche',
  NameDesSolarparks: 'served as solarpark: block technik',
  NameKraftwerk: 'served as kraftwerk: block technik',
  NameKraftwerksblock: 'served as kraftwerksblock: block technik',
  Behoerde: 'served as genehmigungBehoerde: decisions.md, block genehmigung',
  Aktenzeichen: 'served as genehmigungAktenzeichen: decisions.md, block genehmigung',
};

/** Of organisations (Personenart 517) only: interface.md, privacy rule 7. */
const SERVED_OF_ORGANISATIONS = ['Firmenname', 'Postleitzahl', 'Ort'];

/** A text that is no value of any type, of an element that is not personal: findings repeat it. */
export const OPEN = 'unlesbar';

/** Keys that no other record has, so that the records get through to the columns. */
function keysOf(kind: string): () => string {
  const table = tableOf(kind);
  let number = REGISTER_KINDS.indexOf(kind) * 10_000;
  return () => {
    if (table === null || table.key === null) return '';
    number++;
    const letters = table.name === 'einheit' ? 'SEE' : table.name === 'eeg' ? 'EEG' : 'ABR';
    return element(table.key, table.keyAs === 'integer' ? String(number) : `${letters}${888_000_000_000 + number}`);
  };
}

const element = (name: string, text: string): string => `<${name}>${text}</${name}>`;

/** An element holds the mark where its field is personal. */
export const markOf = ({ field, personal, type }: RegisterField): string => {
  if (personal) return field in SERVED ? '' : `${MARK} Weg 7`;
  // Texts and lists that are served are no part of this test; a number that is none could be a name.
  if (type === 'text' || type === 'list') return '';
  return type === 'number' ? `${MARK} Weg 7` : OPEN;
};

/** An organisation with the mark in all that is not served of it; a person, and somebody of whom nothing is known. */
function actors(fields: readonly RegisterField[]): string[] {
  const organisation = fields.map((field) => {
    if (field.field === 'Personenart') return element('Personenart', '517');
    return SERVED_OF_ORGANISATIONS.includes(field.field) ? '' : element(field.field, markOf(field));
  });
  const person = SERVED_OF_ORGANISATIONS.map((name) => element(name, MARK));
  return [organisation, [...person, element('Personenart', '518')], person].map((elements) => elements.join(''));
}

/** A record cut off at every seventh place. */
const cutsOf = (record: string): string[] =>
  Array.from({ length: Math.floor(record.length / 7) }, (_, cut) => record.slice(0, cut * 7 + 5));

/** Records with the mark in every place of them, well-formed ones and broken ones. */
function markedRecords(kind: string): string {
  const fields = fieldsOf(kind);
  const record = fields[0]?.record ?? 'Satz';
  const keyField = tableOf(kind)?.key ?? null;
  const key = keysOf(kind);
  const others = fields.filter(({ field, now }) => field !== keyField && now === '');
  const withKey = (content: string): string => element(record, key() + content);
  const address = others.find(({ privacy }) => privacy === 'address' || privacy === 'contact')?.field ?? 'Strasse';
  const marked = `${MARK} &amp; Söhne, Weg 7`;
  const wellFormed = [
    withKey(others.map((field) => element(field.field, markOf(field))).join('')),
    ...(kind === 'Marktakteure' ? actors(others).map(withKey) : []),
    element(record, keyField === null ? marked : element(keyField, marked)),
    element(record, element(address, marked)),
    withKey(fields.map(({ field }) => element(`${field}Neu`, marked)).join('')),
    withKey(fields.map(({ field }) => `<v:${field} xmlns:v="urn:${MARK}">${marked}</v:${field}>`).join('')),
    withKey(element(MARK, marked) + element(`v:${MARK}`, '') + element(`Strasse_${MARK}`, marked)),
    withKey(`<${MARK.toLowerCase()}@example.org/>`),
    withKey(`<${address} a="${MARK}" ${MARK}="b">${marked}</${address}>`),
    withKey(`<${address}><b>${marked}</b><${MARK}>x</${MARK}></${address}>`),
    withKey(`<${address}><![CDATA[${marked}]]></${address}><!-- ${marked} --><?${MARK} ${marked}?>${marked}`),
    withKey(element(`${address}Alt`, `\u0001${marked}&#2;`)),
    `<${record} a="${MARK}">${key()}</${record}>`,
    `<x${MARK}>${key()}${element(address, marked)}</x${MARK}>`,
  ];
  const field = (content: string): string => `<${record}>${key()}<${address}>${content}</${address}></${record}>`;
  const broken = [
    field(`&${MARK};`),
    field(`${MARK} & Söhne`),
    field(`${MARK} <${MARK.toLowerCase()}@example.org>`),
    field(`</${MARK}>`),
    field(`<${MARK}>x`),
    `<${record}>${key()}<${address}>${marked}</${record}>`,
    `<${record}>${key()}<${address} a="${MARK}</${record}>`,
    `<${record}>${key()}${element(address, marked)}</${MARK}>`,
    `<${record} ${MARK}<${address}>${marked}</${address}></${record}>`,
    `<${record}>${element(address, marked)}${element(record, key() + element(address, marked))}</${record}>`,
    field(`<!-- ${MARK} -- -->`),
    ...cutsOf(element(record, key() + element(address, marked))),
  ];
  const between = [`</${MARK}>`, `<!-- ${MARK} -->`, `<![CDATA[${MARK}]]>`, `<?${MARK} ${MARK}?>`, `<!${MARK}>`];
  return [
    ...wellFormed,
    ...between.flatMap((one) => [one, marked]),
    ...broken.flatMap((one) => [withKey(''), one]),
  ].join('');
}

/** Catalogues are read whole, and must be well-formed; what they hold is published as it is, but for what is no entry. */
const markedEntries = (kind: string): string => {
  const record = fieldsOf(kind)[0]?.record ?? 'Satz';
  return [
    `<!-- ${MARK} --><?${MARK} ${MARK}?>`,
    element(record, element('Id', MARK) + element('Wert', MARK) + element('Name', MARK)),
    element(record, element('Id', '987001') + element('Wert', '') + element(MARK, MARK)),
    `<${record} a="${MARK}">${element('Id', '987002')}${element('Name', 'offen')}${element('KatalogKategorieId', MARK)}</${record}>`,
  ].join('');
};

const isCatalogue = (kind: string): boolean => CATALOGUE_KINDS.some((catalogue) => catalogue === kind);

function markedText(kind: string, document: Document): string {
  const plain = textOfDocument(document);
  const end = plain.lastIndexOf('</');
  const start = plain.indexOf('?>') + 2;
  if (isCatalogue(kind)) return plain.slice(0, end) + markedEntries(kind) + plain.slice(end);
  return [
    plain.slice(0, start),
    `<!-- ${MARK} --><?${MARK} ${MARK}?><!DOCTYPE ${MARK} "${MARK}">${MARK}`,
    plain.slice(start, end),
    markedRecords(kind),
    plain.slice(end),
    `${MARK} <!-- ${MARK} --><?${MARK} ${MARK}?>${MARK}`,
  ].join('');
}

const UNKNOWN_FILES = [
  `${MARK}.xml`,
  `Erika ${MARK}.xml`,
  `liesmich-${MARK}.txt`,
  `Ordner ${MARK}/NeueArt.xml`,
  `Ordner ${MARK}/noch einer/${MARK}_1.xml`,
];

/** The zip of a register with the mark everywhere but where something is served. */
export function markedZip(register: RegisterExport): Buffer {
  const members: ZipMember[] = [];
  for (const kind of REGISTER_KINDS) {
    const own = [...register.files].filter(([name]) => name.replace(/(?:_[0-9]+)?\.xml$/, '') === kind);
    const empty: Document = { root: kind, record: fieldsOf(kind)[0]?.record ?? 'Satz', records: [] };
    const files: readonly [string, Document][] = own.length > 0 ? own : [[`${kind}.xml`, empty]];
    for (const [name, document] of files) members.push({ name, content: asWritten(markedText(kind, document)) });
  }
  for (const name of UNKNOWN_FILES) members.push({ name, content: asWritten(markedText('NeueArt', NEW_KIND)) });
  return zipOf(members);
}

const NEW_KIND: Document = { root: 'NeueArt', record: 'Satz', records: [{ Strasse: MARK, [MARK]: MARK }] };
