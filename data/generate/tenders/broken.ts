/** Files that a reader must refuse, and lists about which it must report a finding. */

import { BIDDER_MARK, INVENTED } from './lists.ts';
import type { Cell, Sheet } from './sheets.ts';

/** A table, bytes, or a workbook that ends after half of its bytes. */
type Content = Sheet | Uint8Array | { readonly half: Sheet };

const HEADER = ['Name des Bieters', 'Gebotsnummer*', 'Zuschlagsnummer', 'Angegebener Standort der Anlage'];

/** Rows of a small list of wind: three awards of the round 2020-02. */
const NUMBERS = ['WIN20-1/003', 'WIN20-1/005', 'WIN20-1/008'];

function place(i: number): string {
  return `Hessen, Landkreis Kassel, PLZ 34355, Gemeinde Staufenberg, Gemarkung Lutterberg: Flur ${i + 1}: ${10 + i}/2`;
}

function rowsOf(numbers: readonly string[]): Cell[][] {
  return numbers.map((number, i) => [`Windpark ${BIDDER_MARK} ${i + 1} GmbH`, undefined, number, place(i)]);
}

function sheet(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  title = 'Liste der Zuschläge zum Gebotstermin 1. Februar 2020',
): Sheet {
  return {
    name: 'Zuschläge',
    rows: [[INVENTED], [title], [], header, ...rows],
  };
}

/** The list without its column of this number. */
function without(column: number): Sheet {
  const drop = <T>(cells: readonly T[]): T[] => cells.filter((_, i) => i !== column);
  return sheet(
    drop(HEADER),
    rowsOf(NUMBERS).map((row) => drop(row)),
  );
}

/** Name and content of every file. The first group must be refused, the second loads with findings. */
export function brokenFiles(): readonly (readonly [name: string, content: Content])[] {
  const html = '<!DOCTYPE html><html><head><title>Bundesnetzagentur</title></head><body>Seite</body></html>';
  return [
    ['refused-no-award-number.csv', without(2)],
    ['refused-no-location.xlsx', without(3)],
    [
      'refused-wrong-types.xlsx',
      sheet(
        HEADER,
        rowsOf(NUMBERS).map(() => [4711, { day: 18_000 }, 12.5, { day: 18_293 }]),
      ),
    ],
    ['refused-no-zip.xlsx', Buffer.from('Das ist keine Arbeitsmappe.\n')],
    ['refused-html-page.xlsx', Buffer.from(html)],
    ['refused-truncated.xlsx', { half: sheet(HEADER, rowsOf(NUMBERS)) }],
    ['refused-empty.csv', Buffer.alloc(0)],
    ['refused-only-header.csv', sheet(HEADER, [])],
    ['refused-no-such-round.csv', sheet(HEADER, rowsOf(['SOL19-8/001', 'SOL19-8/002']), 'Liste der Zuschläge')],
    ['loads-duplicate-numbers.csv', sheet(HEADER, rowsOf([...NUMBERS, 'WIN20-1/005']))],
    ['loads-look-alikes.csv', sheet(HEADER, rowsOf(['WlN20-1/003', 'WLN20-1/005', 'win 20-1/008']))],
    [
      'loads-unknown-columns.xlsx',
      sheet(
        [...HEADER, 'Farbe der Anlage'],
        rowsOf(NUMBERS).map((row) => [...row, 'grün']),
      ),
    ],
  ];
}
