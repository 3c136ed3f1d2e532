import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportLinks, newestOf, ofReferenceDays } from '../../../ingest/fetch/page.ts';
import { pageOf } from '../../support/export-server.ts';

const BASE = 'https://www.example.org/MaStR/Datendownload';
const HEX = '0123456789abcdef0123456789abcdef';

describe('a link of the page', () => {
  it.each([
    ['Gesamtdatenexport_20260911_26.1.zip', { day: '2026-09-11', level: '26.1', referenceDay: false }],
    ['/Stichtag/Gesamtdatenexport_20251001_25.2.zip', { day: '2025-10-01', level: '25.2', referenceDay: true }],
    [`Gesamtdatenexport_20220203__${HEX}.zip`, { day: '2022-02-03', level: '', referenceDay: false }],
    [`Gesamtdatenexport_20230314_22.2_${HEX}.zip`, { day: '2023-03-14', level: '22.2', referenceDay: false }],
    ['Gesamtdatenexport_20260911_26.1.zip?a=1&amp;b=2', { day: '2026-09-11', level: '26.1' }],
  ])('%s leads to an export', (path, expected) => {
    const [link, ...more] = exportLinks(pageOf([path]), BASE);
    expect(more).toEqual([]);
    expect(link).toMatchObject(expected);
    expect(link!.url).toBe(new URL(path.replace('&amp;', '&'), BASE).href);
    expect(link!.name).toBe(new URL(path, BASE).pathname.split('/').pop());
  });

  it.each([
    ['another file', 'Dokumentation_20260911.zip'],
    ['an export that is not packed', 'Gesamtdatenexport_20260911_26.1.xml'],
    ['a day that is none', 'Gesamtdatenexport_20261341_26.1.zip'],
    ['a day that no February has', 'Gesamtdatenexport_20260230_26.1.zip'],
    ['one that is not encrypted, on a page that is', 'http://www.example.org/Gesamtdatenexport_20260911_26.1.zip'],
    ['a name that leads out of the folder', 'Gesamtdatenexport_20260911_%2e%2e%2fx.zip'],
    ['another protocol', 'ftp://example.org/Gesamtdatenexport_20260911_26.1.zip'],
    ['no address at all', 'http://[/Gesamtdatenexport_20260911_26.1.zip'],
  ])('%s leads to none', (_, path) => {
    expect(exportLinks(pageOf([path]), BASE)).toEqual([]);
  });

  it('counts once, whatever its quotes, and not in a comment', () => {
    const name = 'Gesamtdatenexport_20260911_26.1.zip';
    const html = `<a href='${name}'>1</a><A HREF=${name}>2</A><!-- <a href="Gesamtdatenexport_20260912_26.1.zip"> -->`;
    expect(exportLinks(html, BASE).map((link) => link.name)).toEqual([name]);
  });
});

describe('the newest export', () => {
  const names = ['20260930_26.1', '20261001_26.1', '20261001_26.2', '20251231_25.2', '20260101_25.2'].map(
    (end) => `Gesamtdatenexport_${end}.zip`,
  );

  it('is the daily one of the latest day and its later release, in any order of the page', () => {
    const all = [...names, '/Stichtag/Gesamtdatenexport_20270101_26.2.zip'];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(newestOf(exportLinks(pageOf(shuffled), BASE), BASE).name).toBe('Gesamtdatenexport_20261001_26.2.zip');
      }),
    );
  });

  it('is a failure with a remedy where the page names none', () => {
    const reference = exportLinks(pageOf(['/Stichtag/Gesamtdatenexport_20260101_25.2.zip']), BASE);
    expect(() => newestOf(reference, BASE)).toThrow(
      /^https:\/\/www\.example\.org\/MaStR\/Datendownload names no daily export\. .* run the command again later\. /,
    );
    expect(() => ofReferenceDays(exportLinks(pageOf(names), BASE), BASE)).toThrow(/names no export of a reference day/);
  });
});

it('a page of any text is read without an error', () => {
  const bits = fc.constantFrom(
    '<a href=',
    '"',
    "'",
    '>',
    '<!--',
    '-->',
    'Gesamtdatenexport_',
    '20260911',
    '_26.1.zip',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(bits, fc.string())), (parts) => {
      for (const { day } of exportLinks(parts.join(''), BASE)) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    }),
  );
});
