/** Award lists in the layouts of their time. */

import { INVENTED_FILE } from '../../../runtime/invented.ts';
import { itemAt } from '../../../runtime/present.ts';
import { bits, pick, roll } from '../world/random.ts';
import { date, dayText, digits } from '../world/text.ts';
import type { Award, RoundAwards } from './awards.ts';
import { type Round, UNITS_NAMED_FROM, VOLUMES_NAMED_FROM } from './calendar.ts';
import { type Location, locationOf } from './locations.ts';
import type { Cell, Encoding, Sheet, Strings } from './sheets.ts';
import { listedNumber } from './spellings.ts';

/** The content of a column. */
type Content = 'bidder' | 'bid' | 'award' | 'cash sign' | 'location' | 'units' | 'volume';

interface Column {
  readonly header: string;
  readonly content: Content;
}

/** Columns of a list, of which some may stand under a common title. */
interface Layout {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Title over neighbouring columns: first and last of them. */
  readonly group?: { readonly title: string; readonly from: number; readonly to: number };
  /** Unit of the column of volumes. */
  readonly unit?: 'kW' | 'MW';
}

const column = (content: Content, header: string): Column => ({ header, content });

const BIDDER = column('bidder', 'Name des Bieters');
const BID = column('bid', 'Gebots-Nr.*');
const AWARD = column('award', 'Zuschlags-Nr.');
const CASH_SIGN = column('cash sign', 'Kassen-\nzeichen');
const location = (header: string): Column => column('location', header);

const WIND_2017: Layout = {
  name: 'Wind 2017',
  columns: [
    BIDDER,
    column('bid', 'Gebotsnummer*'),
    column('award', 'Zuschlagsnummer'),
    location('Angegebener Standort'),
  ],
};
const JOINT_2018: Layout = {
  name: 'GEM 2018',
  columns: [BIDDER, BID, AWARD, location('Angegebener Standort der Anlage')],
};
const WIND_SPRING_2019: Layout = {
  name: 'Wind 2019-05',
  columns: [BIDDER, BID, AWARD, CASH_SIGN, location('Angegebener Standort der Anlage')],
};
const WIND_AUTUMN_2019: Layout = {
  name: 'Wind 2019-09',
  columns: [column('bidder', 'Name'), BID, AWARD, location('Angegebener Standort der Anlage (MaStR-Nummer)')],
};
const WIND_2020: Layout = {
  name: 'Wind 2020',
  columns: [
    column('bidder', 'Name'),
    BID,
    AWARD,
    column('cash sign', 'Kassenzeichen'),
    location('Angegebener Standort der Anlage\n(Anlagennummer)'),
  ],
};
const SOLAR_2020: Layout = {
  name: 'Solar 2020',
  columns: [column('bidder', 'Name'), BID, AWARD, CASH_SIGN, location('Angegebener Standort der Anlage')],
};
const BIOMASS: Layout = {
  name: 'Biomasse 2020',
  columns: [column('bidder', 'Name'), BID, AWARD, location('Angegebener Standort der Anlage')],
};
const CHP: Layout = {
  name: 'iKWK 2025',
  columns: [
    column('bidder', 'Bieter'),
    location('Anlagenstandort'),
    column('units', 'MaStR-Nr.'),
    column('bid', 'Gebotsnummer'),
    column('award', 'Zuschlagsnummer'),
  ],
};

/** Lists with the volume of each award were not seen yet: the law asks for them since May 2024. */
function withVolume(unit: 'kW' | 'MW'): Layout {
  return {
    name: `mit Menge in ${unit}`,
    unit,
    columns: [
      column('bidder', 'Name des\nBieters'),
      column('bid', 'Gebotsnummer*'),
      column('award', 'Zuschlagsnummer'),
      column('volume', `Zuschlagsmenge\n(${unit})`),
      location('Angegebener Standort der Anlage'),
    ],
    group: { title: 'Gebot', from: 1, to: 3 },
  };
}

function layoutOf({ technology, day }: Round, base: number): Layout {
  if (technology === 'KWK') return CHP;
  if (day >= VOLUMES_NAMED_FROM) return withVolume(bits(base, 1) % 3 === 0 ? 'MW' : 'kW');
  if (technology === 'BIOMASSE') return BIOMASS;
  if (technology === 'WIND') {
    if (day < date(2018)) return WIND_2017;
    if (day < UNITS_NAMED_FROM) return JOINT_2018;
    if (day < date(2019, 9)) return WIND_SPRING_2019;
    return day < date(2019, 12) ? WIND_AUTUMN_2019 : WIND_2020;
  }
  return day < date(2019) ? JOINT_2018 : SOLAR_2020;
}

/** File form of a list: workbook or text. */
type FileForm =
  | { readonly extension: 'xlsx'; readonly strings: Strings }
  | { readonly extension: 'csv'; readonly encoding: Encoding };

const FORMS: readonly FileForm[] = [
  { extension: 'xlsx', strings: 'shared' },
  { extension: 'xlsx', strings: 'inline' },
  { extension: 'csv', encoding: 'windows-1252' },
  { extension: 'xlsx', strings: 'shared' },
  { extension: 'csv', encoding: 'utf-8' },
  { extension: 'csv', encoding: 'utf-8 with mark' },
];

/** An award as its list shows it. */
interface ListedRow {
  readonly award: Award;
  /** The number as printed. */
  readonly number: string;
  readonly location: Location;
  /** Register numbers of all columns. */
  readonly units: readonly string[];
  /** kW as the list gives them; undefined where it has no such column. */
  readonly kilowatts: number | undefined;
}

export interface AwardList {
  readonly round: Round;
  readonly layout: string;
  readonly form: FileForm;
  /** Name of the file. */
  readonly file: string;
  readonly sheet: Sheet;
  readonly rows: readonly ListedRow[];
}

/** Every invented bidder has this word in its name, so that a search finds names that should not be there. */
export const BIDDER_MARK = 'Phantasia';

const BIDDERS = [
  `Windpark ${BIDDER_MARK} # GmbH & Co. KG`,
  `Solarpark ${BIDDER_MARK} # UG (haftungsbeschränkt)`,
  `${BIDDER_MARK} Energie # eG`,
  `Erna ${BIDDER_MARK} #`,
  `Bürgerwind ${BIDDER_MARK} #\nGmbH & Co. KG`,
];

const MONTHS = [
  'Januar',
  'Februar',
  'März',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Dezember',
];

/** `1. Februar 2020` */
export function longDay(day: number): string {
  const [year, month, number] = dayText(day).split('-').map(Number);
  return `${number}. ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** The title above everything that the generator invents; the names of its files say the same. */
export const INVENTED = 'Erfundene Beispieldaten';

/** Register numbers in a column of their own; the prefix stands on the first only. */
function unitColumn(units: readonly string[]): string {
  return units.map((unit, i) => (i === 0 ? unit : unit.slice(3))).join(', ');
}

function bidderOf({ base }: Award): string {
  return pick(base, 20, BIDDERS).replace('#', String(1 + (bits(base, 21) % 900)));
}

function cellOf(content: Content, row: ListedRow, unit: 'kW' | 'MW'): Cell {
  const { base } = row.award;
  switch (content) {
    case 'bidder':
      return bidderOf(row.award);
    case 'bid':
      return roll(base, 22) < 0.4 ? String(1 + (bits(base, 23) % 4)) : undefined;
    case 'award':
      return row.number;
    case 'cash sign':
      return roll(base, 24) < 0.5 ? `1155 ${digits(base, 25, 4)} ${digits(base, 27, 4)}` : `1154${digits(base, 25, 8)}`;
    case 'location':
      return row.location.text;
    case 'units':
      return row.units.length === 0 ? undefined : unitColumn(row.units);
    default:
      return row.kilowatts === undefined || unit === 'kW' ? row.kilowatts : row.kilowatts / 1000;
  }
}

/** The list of a round. */
export function listOf({ round, awards }: RoundAwards): AwardList {
  const { base } = itemAt(awards, 0);
  const layout = layoutOf(round, base);
  const form = pick(base, 30, FORMS);
  const volumes = layout.unit !== undefined;
  const rows = awards.map((award): ListedRow => {
    const location = locationOf(award);
    return {
      award,
      number: listedNumber(round, award.sequence),
      location,
      units: location.units,
      kilowatts: volumes ? award.kilowatts : undefined,
    };
  });
  const separate = layout.columns.some(({ content }) => content === 'units');
  return {
    round,
    layout: layout.name,
    form,
    file: `${INVENTED_FILE}Zuschlaege_${round.code}.${form.extension}`,
    sheet: sheetOf(round, layout, rows),
    rows: separate ? rows.map((row) => ({ ...row, units: row.location.units })) : rows,
  };
}

/** Title lines, an empty row, the header, the awards, an empty row, the footnote. */
function sheetOf(round: Round, layout: Layout, rows: readonly ListedRow[]): Sheet {
  const { columns, group, unit = 'kW' } = layout;
  const titles: Cell[][] = [
    [`${INVENTED}: kein Dokument der Bundesnetzagentur`],
    [`Liste der Zuschläge zum Gebotstermin ${longDay(round.day)}`],
    [],
  ];
  const headers = columns.map(({ header }) => header);
  const first = titles.length + 1;
  const body = rows.map((row) => columns.map(({ content }) => cellOf(content, row, unit)));
  const foot: Cell[][] = [[], ['* wenn vom Bieter angegeben']];
  if (group === undefined) return { name: 'Zuschläge', rows: [...titles, headers, ...body, ...foot] };
  const { title, from, to } = group;
  const inGroup = (i: number): boolean => i >= from && i <= to;
  const letter = (i: number): string => String.fromCharCode(65 + i);
  // Outside the group a header spans both rows.
  const upper = headers.map((header, i) => (i === from ? title : inGroup(i) ? undefined : header));
  const lower = headers.map((header, i) => (inGroup(i) ? header : undefined));
  const tall = headers.flatMap((_, i) => (inGroup(i) ? [] : [`${letter(i)}${first}:${letter(i)}${first + 1}`]));
  return {
    name: 'Zuschläge',
    rows: [...titles, upper, lower, ...body, ...foot],
    merged: [`${letter(from)}${first}:${letter(to)}${first}`, ...tall],
  };
}
