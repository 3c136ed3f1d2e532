import { describe, expect, it } from 'vitest';
import { readNep } from '../../../ingest/tables/read-nep.ts';

const unit = (mastrNummer: string) => ({ mastrNummer, kraftwerksnummer: null });
const plant = (kraftwerksnummer: string) => ({ mastrNummer: null, kraftwerksnummer });

describe('a list of the grid development plan', () => {
  it.each([
    ['mastrNummer\nSEE900000000001\n', [unit('SEE900000000001')]],
    ['Kraftwerksnummer\r\nBNA0001\r\nBNA0002', [plant('BNA0001'), plant('BNA0002')]],
    ['Projekt;KRAFTWERKSNUMMER;MW\n"Neubau; Block 1";BNA0001;400\n', [plant('BNA0001')]],
    ['name,mastrNummer\n"zwei\nZeilen",SEE900000000001\n', [unit('SEE900000000001')]],
    [
      '\ufeffmastrNummer,kraftwerksnummer\nSEE900000000001, BNA1 \n,BNA2\n\nSEE900000000002,\n',
      [{ mastrNummer: 'SEE900000000001', kraftwerksnummer: 'BNA1' }, plant('BNA2'), unit('SEE900000000002')],
    ],
    ['mastrNummer\nSEE900000000001\nSEE900000000001\n', [unit('SEE900000000001')]],
  ])('%j', (text, rows) => expect(readNep(text)).toEqual(rows));

  it.each([
    ['', /line 1: the header names neither mastrNummer nor kraftwerksnummer, but nothing/],
    ['nummer,name\nSEE1,x', /line 1: the header names neither .* but 2 other columns$/],
    [
      'mastrNummer\nSEE900000000001\n\nABR900000000001\n',
      /^Nothing was loaded:\n {2}line 4: mastrNummer \(15 characters: letters, digits\) is no/,
    ],
    [
      'name,mastrNummer\nx,SEE1\ny,\n',
      /line 2: mastrNummer \(4 characters: letters, digits\) is no .*\n {2}line 3: neither mastrNummer nor kraftwerks/,
    ],
    ['kraftwerksnummer\nErika Beispiel\n', /line 2: kraftwerksnummer \(14 characters: letters, blanks\) is no number/],
    ['kraftwerksnummer\nBNA\u001e1\n', /line 2: kraftwerksnummer \(5 characters: .*\) is no number/],
    ['kraftwerksnummer\n"BNA\n1"\n', /line 2: kraftwerksnummer \(5 characters: .*\) is no number/],
    ['mastrNummer\n', /The list has no rows/],
    [`mastrNummer\n${'x\n'.repeat(13)}`, /line 11: .*\n {2}and 3 more$/],
  ])('%j is refused with its lines', (text, message) => expect(() => readNep(text)).toThrow(message));
});
