import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { usageError } from '../../runtime/command-line/exit.ts';
import { argument } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import { warehouseFolder } from '../../runtime/settings.ts';
import { isMastrNumber } from '../../sql/register/mastr-number.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { splitCsv } from '../tables/csv.ts';
import { loadTable, tableFile } from '../tables/loaded.ts';
import { command, print } from './command.ts';

const COLUMNS = ['nummer', 'am'];

export const eraseCommand = command({
  name: 'erase',
  summary: 'have the past of an operator or a unit forgotten, or list what was; the next build does it',
  description:
    'Takes the number of an operator (ABR…) or of a unit (SEE…). Each build from the next one on keeps no former row of it; what the ' +
    'register says today stays. `rebuild` does it at once. The list is the record of what was asked and when.',
  examples: ['', 'ABR900000000001'],
  parameters: { number: argument('MaStR number of the operator or the unit', z.string().optional()) },
  async run({ number }, { settings, json }) {
    const warehouse = warehouseFolder(settings);
    const erased = erasuresIn(warehouse);
    if (number === undefined) {
      const lines = erased.map(({ nummer, am }) => `${nummer}  ${am}`);
      print(json, erased, lines.length === 0 ? 'Nothing was erased' : lines.join('\n'));
      return 'done';
    }
    if (!isMastrNumber(number)) throw usageError(`${number} is no MaStR number such as ABR900000000001`);
    if (erased.some(({ nummer }) => nummer === number)) {
      print(json, erased, `${number} is on the list already`);
      return 'done';
    }
    const all = [...erased, { nummer: number, am: new Date().toISOString() }];
    await withWarehouseLock(warehouse, `erasing ${number}`, () =>
      loadTable(warehouse, 'erasures', [COLUMNS, ...all.map(({ nummer, am }) => [nummer, am])]),
    );
    print(json, all, `The next build forgets the past of ${number}; ${counted(all.length, 'number')} on the list`);
    return 'done';
  },
});

function erasuresIn(warehouse: string): { nummer: string; am: string }[] {
  const file = tableFile(warehouse, 'erasures');
  if (file === null) return [];
  return splitCsv(readFileSync(file, 'utf8'))
    .slice(1)
    .map(({ cells: [nummer = '', am = ''] }) => ({ nummer, am }));
}
