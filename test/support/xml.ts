import fc from 'fast-check';

/** Documents of the export's form: root, records, fields; written with every liberty that XML 1.0 leaves. */

export interface Document {
  readonly root: string;
  readonly before: string;
  readonly records: readonly string[];
  /** The text before each record, and before the end of the root. */
  readonly between: readonly string[];
  readonly after: string;
}

export const ROOT = 'EinheitenWind';
export const RECORD = 'EinheitWind';

/** Known elements; `Lage` is the former name of `Ort`, and the table's spelling is one of several. */
export const SLOTS: ReadonlyMap<string, number> = new Map([
  ['EinheitMastrNummer', 0],
  ['Ort', 1],
  ['Lage', 1],
  ['Bruttoleistung', 2],
  ['Weic', 3],
  ['Weic_nv', 4],
]);

export const textOfDocument = ({ root, before, records, between, after }: Document): string =>
  `${before}<${root}>${records.map((record, index) => (between[index] ?? '') + record).join('')}${between[records.length] ?? ''}</${root}>${after}`;

/** A document of the given records and nothing else. */
export const plainDocument = (records: readonly string[], root = ROOT): string =>
  `<?xml version="1.0" encoding="UTF-16"?><${root}>${records.join('')}</${root}>`;

export const record = (fields: Readonly<Record<string, string>>, name = RECORD): string =>
  `<${name}>${Object.entries(fields)
    .map(([element, text]) => `<${element}>${escapeText(text)}</${element}>`)
    .join('')}</${name}>`;

const escapeText = (text: string): string => text.replace(/[&<>\r]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const space = fc.constantFrom('', '', '', '', '', '', ' ', '\n', '\t', '\r\n ', '  \n');

/** A character of XML 1.0, as XML writes it in one of its ways. */
const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'Z', '0', '7', '-', '.', ' ', ',', '/', '=') },
  { weight: 2, arbitrary: fc.constantFrom('ä', 'ö', 'ü', 'ß', 'é', '€', '\u00a0', '\uff06', '\ufffd', '\u2028') },
  { weight: 2, arbitrary: fc.constantFrom('\u{1f300}', '\u{10ffff}', '\u{10000}', '\u{1d11e}') },
  { weight: 2, arbitrary: fc.constantFrom('>', '"', "'", ']', '\n', '\r', '\r\n', '\t', '--', '?>', '-->') },
  { weight: 3, arbitrary: fc.constantFrom('&amp;', '&lt;', '&gt;', '&quot;', '&apos;') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '&#13;&#10;',
      '&#10;',
      '&#9;',
      '&#65;',
      '&#x41;',
      '&#x00e4;',
      '&#228;',
      '&#x1F300;',
      '&#127744;',
      '&#x1f300;',
      '&#38;',
      '&#60;b&#62;',
      '&amp;lt;',
      '&amp;#65;',
    ),
  },
);

const plainText = fc.array(character, { maxLength: 6 }).map((parts) => parts.join(''));

const attributes = fc.constantFrom(
  '',
  '',
  '',
  '',
  '',
  '',
  '',
  '',
  ' nil="true"',
  " a='x>y' b=\"&amp;'\"",
  ' xmlns:x="urn:y"',
);

const cdata = fc
  .array(fc.constantFrom('a', '&amp;', '<b>', '</Ort>', '>', ']', 'ä', '\u{1f300}', ' ', '\n', '<'), { maxLength: 4 })
  .map((parts) => `<![CDATA[${parts.join('')}]]>`);
const comment = fc.constantFrom('<!---->', '<!-- x -->', '<!--<Ort>1</Ort>-->', '<!-- & > " \' -->', '<!--> - >-->');
const instruction = fc.constantFrom('<?php x ?>', '<?a?>', '<?go a="<b>" ?>', '<?q > ?>');

/** Text with what a plain scanner does not read: CDATA, comments, instructions, nested elements. */
const richText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: plainText },
      cdata,
      comment,
      instruction,
      plainText.map((text) => `<b>${text}</b>`),
      fc.constantFrom('<i/>', '<b><i>x</i>y</b>', '<b c="d>">z</b >'),
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(''));

const elementName = fc.constantFrom(
  ...['EinheitMastrNummer', 'Ort', 'Lage', 'Bruttoleistung', 'Weic', 'Weic_nv', 'bruttoleistung', 'ORT', 'LaGe'],
  ...['Neu', 'NeuesFeld', 'Ortsteil', 'Bruttoleistung2', 'Stra\u00dfe'],
);

const field = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ name: elementName, text: plainText }).map(({ name, text }) => `<${name}>${text}</${name}>`),
  },
  { weight: 1, arbitrary: elementName.map((name) => `<${name}/>`) },
  { weight: 1, arbitrary: fc.record({ name: elementName, gap: space }).map(({ name, gap }) => `<${name}${gap}/>`) },
  {
    weight: 2,
    arbitrary: fc
      .record({ name: elementName, attribute: attributes, gap: space, text: richText })
      .map(({ name, attribute, gap, text }) => `<${name}${attribute}>${text}</${name}${gap}>`),
  },
);

/** A well-formed record; a wild one holds what is not flat, too. */
export const wildRecord = fc
  .record({
    attribute: attributes,
    gap: space,
    fields: fc.array(fc.tuple(fc.oneof({ weight: 9, arbitrary: space }, comment), field), { maxLength: 5 }),
  })
  .map(
    ({ attribute, gap, fields }) =>
      `<${RECORD}${attribute}>${fields.map(([before, text]) => before + text).join('')}</${RECORD}${gap}>`,
  );

export const flatRecord = fc
  .array(fc.record({ gap: space, name: elementName, text: plainText }), { maxLength: 6 })
  .map(
    (fields) =>
      `<${RECORD}>${fields.map(({ gap, name, text }) => `${gap}<${name}>${text}</${name}>`).join('')}</${RECORD}>`,
  );

/** Between records: white space, comments, instructions. */
const gap = fc
  .array(fc.oneof({ weight: 4, arbitrary: space }, comment, instruction), { maxLength: 2 })
  .map((all) => all.join(''));

export const wildDocument: fc.Arbitrary<Document> = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    declaration: fc.constantFrom('', '<?xml version="1.0" encoding="UTF-16"?>', "<?xml version='1.0'?>\r\n"),
    before: gap,
    records: fc.array(fc.oneof(flatRecord, wildRecord), { maxLength: 4 }),
    between: fc.array(gap, { minLength: 5, maxLength: 5 }),
    after: gap,
  })
  .map(({ mark, declaration, before, records, between, after }) => ({
    root: ROOT,
    // A declaration is one at the very beginning only, and white space before it makes it none.
    before: mark + (declaration === '' ? before : declaration + before),
    records,
    between,
    after,
  }));
