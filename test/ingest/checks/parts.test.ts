import { describe, expect, it } from 'vitest';
import { lostParts, requireEveryPart } from '../../../ingest/checks/parts.ts';
import type { MemberAccount } from '../../../ingest/run/build-report.ts';
import { parseMemberName } from '../../../sql/register/fields.ts';

/** The names of the members alone say which parts of a kind there have to be. */

const archiveOf = (...names: string[]) => ({
  path: 'export.zip',
  members: names.map((name, index) => {
    const { kind, part } = parseMemberName(name) ?? { kind: null, part: null };
    return { index, name, entry: name, kind, part, bytes: 1, offset: 0 };
  }),
});

describe('an export is complete', () => {
  it.each([
    [['EinheitenWind.xml']],
    [['EinheitenWind_1.xml']],
    [['EinheitenSolar_1.xml', 'EinheitenSolar_2.xml', 'EinheitenWind.xml']],
    [['EinheitenSolar_01.xml', 'EinheitenSolar_02.xml']],
    // Of kinds that no release has, and of files that are none of an export, nothing is known.
    [['EinheitenWind.xml', 'Foo_3.xml', 'Foo_7.xml', 'liesmich.txt']],
  ])('as %j', (names) => {
    expect(() => requireEveryPart(archiveOf(...names))).not.toThrow();
  });
});

describe('an export has a gap', () => {
  it.each([
    [['EinheitenSolar_1.xml', 'EinheitenSolar_3.xml'], 'EinheitenSolar_2.xml is missing before EinheitenSolar_3.xml'],
    [
      ['EinheitenSolar_1.xml', 'EinheitenSolar_9.xml'],
      'EinheitenSolar_2.xml to EinheitenSolar_8.xml are missing before EinheitenSolar_9.xml',
    ],
    [['EinheitenSolar_2.xml'], 'EinheitenSolar_1.xml is missing before EinheitenSolar_2.xml'],
    // Told at once, whatever the number is: nothing counts up to it.
    [
      ['EinheitenSolar_1.xml', 'EinheitenSolar_999999999999.xml'],
      'EinheitenSolar_2.xml to EinheitenSolar_999999999998.xml are missing before EinheitenSolar_999999999999.xml',
    ],
    // Files without a use of ours, too: what lacks one of these lacks others.
    [['EinheitenGasSpeicher_2.xml'], 'EinheitenGasSpeicher_1.xml is missing before EinheitenGasSpeicher_2.xml'],
    [['EinheitenWind_0.xml', 'EinheitenWind_1.xml'], 'EinheitenWind_0.xml has a number that no part has'],
  ])('as %j', (names, message) => {
    expect(() => requireEveryPart(archiveOf(...names))).toThrow(`export.zip is not whole: ${message}`);
  });
});

it('of many gaps some are listed, with the number of the others', () => {
  const odd = Array.from({ length: 1000 }, (_, index) => `EinheitenSolar_${2 * index + 1}.xml`);
  expect(() => requireEveryPart(archiveOf(...odd))).toThrow(/EinheitenSolar_11\.xml; and 994 more\. Nothing/);
});

describe('two members claim the same place', () => {
  it.each([
    [['EinheitenWind.xml', 'EinheitenWind_1.xml']],
    [['EinheitenWind.xml', 'EinheitenWind_2.xml']],
    [['EinheitenWind_1.xml', 'EinheitenWind_01.xml']],
    [['a/EinheitenWind.xml', 'b/EinheitenWind.xml']],
    [
      [
        'EinheitenGeoSolarthermieGrubenKlaerschlammDruckentspannung.xml',
        'EinheitenGeothermieGrubengasDruckentspannung.xml',
      ],
    ],
  ])('as %j', (names) => {
    expect(() => requireEveryPart(archiveOf(...names))).toThrow(`both ${names[0]} and ${names[1]} are there`);
  });
});

describe('parts at the end of the numbering', () => {
  const servedParts = (
    kind: string,
    parts: number,
    verwendung: MemberAccount['verwendung'] = 'tabelle',
  ): MemberAccount[] =>
    Array.from({ length: parts }, (_, index) => ({
      ...{ datei: `${kind}_${index + 1}.xml`, art: kind, teil: index + 1, verwendung },
      ...{ bytes: 1, gelesen: 1, geladen: 1, doppelt: 0, abgelehnt: 0 },
    }));
  const parts = (kind: string, count: number) =>
    archiveOf(...Array.from({ length: count }, (_, index) => `${kind}_${index + 1}.xml`));

  it('may disappear within the band, and be added', () => {
    expect(lostParts(servedParts('EinheitenSolar', 65), parts('EinheitenSolar', 62), 0.05)).toEqual([]);
    expect(lostParts(servedParts('EinheitenSolar', 65), parts('EinheitenSolar', 70), 0.05)).toEqual([]);
    expect(lostParts(servedParts('EinheitenSolar', 65), parts('EinheitenSolar', 61), 0.05)).toEqual([
      'EinheitenSolar: 61 parts after 65',
    ]);
  });

  it('are noticed where two are missing', () => {
    const lost = lostParts(servedParts('Marktakteure', 2), parts('Marktakteure', 1), 0.05);
    expect(lost).toEqual(['Marktakteure: 1 parts after 2']);
  });

  it('do not matter for kinds that are not used', () => {
    const unused = servedParts('EinheitenGasErzeuger', 3, 'ungenutzt');
    expect(lostParts(unused, parts('EinheitenGasErzeuger', 1), 0.05)).toEqual([]);
  });
});
