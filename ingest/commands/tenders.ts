import { z } from 'zod';
import { refused } from '../../runtime/command-line/exit.ts';
import { argument, flag, option, rest } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import { warehouseFolder } from '../../runtime/settings.ts';
import { type Calendar, tenderOfCode } from '../../sql/tenders/calendar.ts';
import { tenderKey } from '../../sql/tenders/technologies.ts';
import { withWarehouseLock } from '../run/warehouse-lock.ts';
import { awardsOf, findingsOf, type ReplacedList } from '../tenders/lists-of-round.ts';
import { type FileOutcome, filesOf, loadTenders } from '../tenders/load.ts';
import { loadedTenders } from '../tenders/loaded.ts';
import { ROUND_STATES, stateOf, tenderOverview, type YearOfTechnology } from '../tenders/overview.ts';
import type { ListedAward, TenderFinding, TenderRound } from '../tenders/round.ts';
import { removeRound, type StoredList, storedRound, storedRounds, storeRound } from '../tenders/store.ts';
import { command, print } from './command.ts';

/** Commands for the tenders: award lists and statistics that are loaded, and what is known of each round. */

const NEXT_BUILD = 'the next build takes them (at once: rebuild)';

const DRY_RUN = 'say what would happen, and change nothing';

const roundArgument = argument(
  'id of the round, or what its award numbers begin with: 2019090110, WIN19-4',
  z
    .string()
    .regex(/^\d{10}$|^[A-Za-z]{3,4}\d{2}-\d{1,2}$/, 'is neither an id such as 2019090110 nor a code such as WIN19-4'),
);

const today = (): string => new Date().toISOString().slice(0, 10);

export const tendersLoadCommand = command({
  name: 'tenders load',
  summary: 'load award lists and statistics of tenders; the next build applies them',
  description:
    'Reads workbooks (xlsx) and copies in CSV as the Bundesnetzagentur publishes them. Lists of a round add up; a corrected list ' +
    'replaces its own earlier form, which has the name of its file or no other awards. A file that lacks award numbers or locations is refused, and nothing of it is loaded. Names of bidders are never kept.',
  examples: ['lists/', 'Statistik_Onshore.xlsx --dry-run'],
  parameters: {
    paths: rest('files, or folders of files that end with .xlsx, .csv, .txt or .md', z.array(z.string()).min(1)),
    replace: flag('take away all lists of the same rounds that were loaded before'),
    dryRun: flag(DRY_RUN),
  },
  async run({ paths, replace = false, dryRun = false }, { settings, json }) {
    const warehouse = warehouseFolder(settings);
    const files = filesOf(paths);
    const load = () => loadTenders(warehouse, files, { dryRun, replace, day: today() });
    const outcomes = dryRun ? await load() : await withWarehouseLock(warehouse, 'loading tenders', load);
    print(
      json,
      { dryRun, files: outcomes },
      [...outcomes.flatMap(outcomeLines), summaryOf(outcomes, dryRun)].join('\n'),
    );
    return outcomes.some(({ outcome }) => outcome === 'refused') ? 'refused' : 'done';
  },
});

function outcomeLines({ file, outcome, rounds, awards, elsewhere, replaced, findings, reason }: FileOutcome): string[] {
  if (outcome === 'refused') return [`${file}: refused, ${reason}`];
  const content =
    awards === null
      ? `figures of ${counted(rounds.length, 'round')}`
      : `${counted(awards, 'award')} of ${rounds.join(', ')}${repeated(elsewhere)}`;
  return [`${file}: ${outcome}, ${content}`, ...replaced.map(replacedLine), ...findings.map(findingLine)];
}

const repeated = (elsewhere: number): string =>
  elsewhere === 0 ? '' : `, ${elsewhere} of them in another list of the round, too`;

/** Award numbers that are printed of those that a list no longer has. */
const SHOWN_NUMBERS = 20;

function replacedLine({ gebotstermin, quelle, zuschlaege, entfallen }: ReplacedList): string {
  const numbers = entfallen.slice(0, SHOWN_NUMBERS).map((number) => number ?? 'ohne Nummer');
  const more = entfallen.length > numbers.length ? `${numbers.join(', ')}, …` : numbers.join(', ');
  const gone = entfallen.length === 0 ? 'none of them is dropped' : `${entfallen.length} dropped: ${more}`;
  return `  replaces ${quelle} of ${gebotstermin} with ${counted(zuschlaege, 'award')}; ${gone}`;
}

const findingLine = ({ befund, feld, hinweis, beispiel, anzahl }: TenderFinding): string =>
  `  ${befund}  ${feld}: ${hinweis}${beispiel === '' ? '' : ` (${beispiel})`}${anzahl === 1 ? '' : `, ${anzahl} times`}`;

function summaryOf(outcomes: readonly FileOutcome[], dryRun: boolean): string {
  const count = (wanted: FileOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  const awards = outcomes.reduce((sum, one) => sum + (one.awards ?? 0), 0);
  const elsewhere = outcomes.reduce((sum, one) => sum + one.elsewhere, 0);
  const parts = [`${count('loaded')} loaded`, `${count('unchanged')} unchanged`, `${count('refused')} refused`];
  const text = `${counted(outcomes.length, 'file')}: ${parts.join(', ')}; ${counted(awards, 'award')}${repeated(elsewhere)}`;
  if (dryRun) return `${text}. Nothing was changed`;
  return count('loaded') === 0 ? text : `${text}; ${NEXT_BUILD}`;
}

export const tendersStatusCommand = command({
  name: 'tenders status',
  summary: 'show by technology and year which rounds are there, missing, or failed to load',
  description:
    'loaded: with its award list. figures: only figures, those of the product or of a statistics workbook. missing: the bid date ' +
    'is over, and nothing is there. announced: the bid date is to come.',
  parameters: {},
  async run(_, { settings, json }) {
    const overview = tenderOverview(warehouseFolder(settings), today());
    const failures = overview.failures.map(
      ({ file, round, reason }) => `${file}${round === null ? '' : ` (${round})`}: ${reason}`,
    );
    const text = [
      ...overview.years.map(yearLine),
      ...(failures.length === 0 ? [] : ['Refused when last loaded:', ...failures]),
    ];
    print(json, overview, text.join('\n'));
    return 'done';
  },
});

function yearLine({ technologie, jahr, states, awards }: YearOfTechnology): string {
  const parts = ROUND_STATES.filter((state) => states[state] > 0).map((state) => `${states[state]} ${state}`);
  return `${technologie} ${jahr}: ${parts.join(', ')}${awards === 0 ? '' : `; ${counted(awards, 'award')}`}`;
}

export const tendersShowCommand = command({
  name: 'tenders show',
  summary: 'show what is known of a round, its awards and what was found while reading them',
  examples: ['2019090110', 'WIN19-4 --json'],
  parameters: { round: roundArgument },
  async run({ round: typed }, { settings, json }) {
    const { rounds, awards, calendar } = loadedTenders(warehouseFolder(settings), today());
    const id = idOf(typed, calendar);
    const round = rounds.find((one) => one.id === id);
    if (round === undefined)
      throw refused(`There is no round ${typed}. Those there are: npm run ingest -- tenders status`);
    const stored = storedRound(warehouseFolder(settings), id);
    const own = awards.filter(({ gebotstermin }) => gebotstermin === id);
    const findings = stored === null ? [] : findingsOf(stored, round);
    print(json, { ...round, state: stateOf(round, today()), awards: own, findings }, roundText(round, own, findings));
    return 'done';
  },
});

function roundText(round: TenderRound, awards: readonly ListedAward[], findings: readonly TenderFinding[]): string {
  const facts = Object.entries(round)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`);
  const lines = awards.map(({ zuschlagsnummer, bundesland, gemeinde, gemarkung, mastrNummern }) =>
    [zuschlagsnummer ?? 'ohne Nummer', bundesland, gemeinde, gemarkung, ...mastrNummern]
      .filter((part) => part !== null)
      .join('  '),
  );
  return [...facts, ...lines, ...findings.map(findingLine)].join('\n');
}

export const tendersListCommand = command({
  name: 'tenders list',
  summary: 'show which award lists are loaded, those of each round in the order in which they were loaded',
  examples: ['--json'],
  parameters: {},
  async run(_, { settings, json }) {
    const lists = storedRounds(warehouseFolder(settings)).flatMap(({ id, technologie, verfahren, datum, listen }) =>
      listen.map(({ quelle, pruefsumme, zuschlaege }) => ({
        ...{ round: id, technologie, verfahren, datum, source: quelle },
        ...{ checksum: pruefsumme, awards: zuschlaege.length },
      })),
    );
    const lines = lists.map(
      ({ round, technologie, datum, source, checksum, awards }) =>
        `${round}  ${technologie} ${datum}  ${checksum.slice(0, SHOWN_CHECKSUM)}  ${source}  ${counted(awards, 'award')}`,
    );
    print(json, { lists }, lines.length === 0 ? 'No award list is loaded' : lines.join('\n'));
    return 'done';
  },
});

/** Characters of a checksum by which a list is named: there are some hundred lists. */
const SHOWN_CHECKSUM = 8;

export const tendersRemoveCommand = command({
  name: 'tenders remove',
  summary: 'take away what was loaded of a round, or one of its lists; the figures of the product stay',
  examples: ['WIN19-4 --dry-run', 'KWK25-2 --list Nachtrag.xlsx'],
  parameters: {
    round: roundArgument,
    list: option(
      '<file>',
      'only this list: the name of its file, or the beginning of its checksum (tenders list has both)',
      z.string().min(4).optional(),
    ),
    dryRun: flag(DRY_RUN),
  },
  async run({ round: typed, list, dryRun = false }, { settings, json }) {
    const warehouse = warehouseFolder(settings);
    const { calendar } = loadedTenders(warehouse, today());
    const id = idOf(typed, calendar);
    const stored = storedRound(warehouse, id);
    if (stored === null) throw refused(`Nothing is loaded of round ${typed}. What is: npm run ingest -- tenders list`);
    const gone = list === undefined ? stored.listen : [listNamed(stored.listen, list, typed)];
    const rest = { ...stored, listen: stored.listen.filter((one) => !gone.includes(one)) };
    const remove = () =>
      list === undefined || (rest.listen.length === 0 && rest.statistik === null)
        ? removeRound(warehouse, id)
        : storeRound(warehouse, rest);
    if (!dryRun) await withWarehouseLock(warehouse, `removing from round ${id}`, remove);
    const awards = awardsOf(stored).length - awardsOf(rest).length;
    const text = `${counted(awards, 'award')} of round ${id} (${gone.map(({ quelle }) => quelle).join('; ') || 'figures'})`;
    print(
      json,
      { dryRun, round: id, awards, lists: gone.map(({ quelle }) => quelle) },
      dryRun ? `Would remove ${text}` : `Removed ${text}; the next build does without (at once: rebuild)`,
    );
    return 'done';
  },
});

function listNamed(lists: readonly StoredList[], named: string, round: string): StoredList {
  const found = lists.filter(
    ({ quelle, pruefsumme }) => quelle.endsWith(`(${named})`) || pruefsumme.startsWith(named.toLowerCase()),
  );
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const has = lists.map(({ quelle, pruefsumme }) => `${pruefsumme.slice(0, SHOWN_CHECKSUM)} ${quelle}`).join('; ');
  throw refused(
    `${found.length === 0 ? 'No list' : 'More than one list'} of round ${round} is named ${named}. It has ${has || 'none'}`,
  );
}

/** The id of a round that was typed by its id or its code. */
function idOf(typed: string, calendar: Calendar): number {
  const id = /^\d+$/.test(typed) ? Number(typed) : tenderOfCode(typed, calendar);
  if (id === null || tenderKey(id) === null)
    throw refused(`There is no round ${typed}. Those there are: npm run ingest -- tenders status`);
  return id;
}
