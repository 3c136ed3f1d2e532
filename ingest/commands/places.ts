import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { usageError } from '../../runtime/command-line/exit.ts';
import { argument, flag, option } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import { warehouseFolder } from '../../runtime/settings.ts';
import { KEY_DIGITS } from '../../sql/query/places.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { clearTable, loadTable, tableFile } from '../tables/loaded.ts';
import { mustBeWhole, PLACE_COLUMNS, type PlaceList, readPlaces } from '../tables/read-places.ts';
import { command, print } from './command.ts';
import { readUtf8 } from './table.ts';

const OF_PRODUCT = new URL('../../data/reference/places/gemeinden.csv', import.meta.url);

/** Keys that are printed. */
const SHOWN = 5;

export const placesCommand = command({
  name: 'places',
  summary:
    'load a newer list of municipalities with inhabitants and areas, or say which one holds; the next build applies it',
  description:
    'Reads GV100AD of the Statistisches Bundesamt (the text file in its archive, in UTF-8), or CSV with the columns of ' +
    'data/reference/places/gemeinden.csv. Figures per inhabitant and km² use the places as they are on the day of the list.',
  examples: ['', 'GV100AD_30062026.txt --population-day 2025-12-31', '--clear'],
  parameters: {
    file: argument('list of all municipalities', z.string().optional()),
    populationDay: option(
      '<day>',
      'day on which the inhabitants were counted, which GV100AD does not say',
      z.iso.date('must be a day, YYYY-MM-DD').optional(),
    ),
    clear: flag('go back to the list of the product'),
  },
  async run({ file, populationDay, clear = false }, { settings, json }) {
    if (clear && file !== undefined) throw usageError('--clear takes no file: places --clear');
    const warehouse = warehouseFolder(settings);
    if (clear) {
      const cleared = await withWarehouseLock(warehouse, 'taking a list away', () => clearTable(warehouse, 'places'));
      const list = ofProduct();
      const text = cleared ? 'The list is gone' : 'No list was loaded';
      print(json, { ...shown(list), cleared }, `${text}; the product has the ${described(list)}`);
      return 'done';
    }
    if (file === undefined) {
      const before = tableFile(warehouse, 'places');
      const held = before === null ? ofProduct() : readPlaces(readFileSync(before, 'utf8'));
      const whose = before === null ? 'The product has the' : 'Loaded is the';
      print(json, { ...shown(held), loaded: before !== null }, `${whose} ${described(held)}`);
      return 'done';
    }
    const list = readPlaces(readUtf8(file), populationDay);
    mustBeWhole(list, ofProduct(), new Date().toISOString().slice(0, 10));
    await withWarehouseLock(warehouse, `loading ${file}`, () =>
      loadTable(warehouse, 'places', [
        PLACE_COLUMNS,
        ...list.places.map(({ ags, name, flaecheKm2, einwohner }) => [
          ...[ags, name, flaecheKm2, einwohner],
          ...[list.gebietsstand, list.einwohnerAm],
        ]),
      ]),
    );
    const gone = goneSince(ofProduct(), list);
    const text = `Loaded the ${described(list)}; the next build applies it`;
    print(json, { ...shown(list), loaded: true, gone }, gone.length === 0 ? text : `${text}\n${describedGone(gone)}`);
    return 'done';
  },
});

const ofProduct = (): PlaceList => readPlaces(readFileSync(OF_PRODUCT, 'utf8'));

const municipalitiesOf = ({ places }: PlaceList) => places.filter(({ ags }) => ags.length === KEY_DIGITS.gemeinde);

const shown = (list: PlaceList) => ({
  gemeinden: municipalitiesOf(list).length,
  einwohner: municipalitiesOf(list).reduce((sum, { einwohner }) => sum + (einwohner ?? 0), 0),
  gebietsstand: list.gebietsstand,
  einwohnerAm: list.einwohnerAm,
});

function described(list: PlaceList): string {
  const { gemeinden, einwohner, gebietsstand, einwohnerAm } = shown(list);
  return `list of ${gebietsstand}: ${counted(gemeinden, 'municipality', 'municipalities')}, ${einwohner.toLocaleString('en')} inhabitants on ${einwohnerAm}`;
}

/** Keys of municipalities that the list has no longer. */
function goneSince(held: PlaceList, list: PlaceList): string[] {
  const keys = new Set(list.places.map(({ ags }) => ags));
  return municipalitiesOf(held).flatMap(({ ags }) => (keys.has(ags) ? [] : [ags]));
}

const describedGone = (gone: readonly string[]): string =>
  `${counted(gone.length, 'key')} of the list of the product ${gone.length === 1 ? 'is' : 'are'} not on it (${gone.slice(0, SHOWN).join(', ')}` +
  `${gone.length > SHOWN ? ', …' : ''}); municipalities with them have no inhabitants then, as nothing says what became of them`;
