import { type ChangedUnit, changedUnits } from '../../api/alerts/changes.ts';
import { type AskedAlert, matchAlerts } from '../../api/alerts/matching.ts';
import { openComparison, type Versions } from '../../api/alerts/versions.ts';
import { fieldNamed } from '../../sql/catalogue/unit-fields.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { type Condition, conditionSql, whereAll } from '../../sql/query/conditions.ts';
import { duckdb } from '../../sql/query/duckdb.ts';
import { binder, withLiterals } from '../../sql/query/statement.ts';
import { withToday } from '../../sql/query/units.ts';
import { fieldWatch } from '../../sql/query/watched.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { changesOfAll, EVERYTHING } from '../api/alerts/versions.ts';
import { withVersion } from '../support/warehouse.ts';
import { TODAY } from './services.ts';

/** Alerts with given conditions between two versions: as the service finds them, and by a statement for each. */

const NEW = (place: number) => `${place} NEW_UNIT`;
const CHANGED = (place: number) => `${place} SIGNAL_CHANGE`;
const OTHERWISE = (place: number) => `${place} FIELD_CHANGE`;

const WATCHED = ['name', 'bruttoleistungKw', 'betriebsStatus', 'plz', 'betreiberMastrNummer'];
const WATCHES = WATCHED.map((name) => fieldWatch(fieldNamed(name)));

/** The numbers of the units that each alert matches, by alert; those that match none are left out. */
type Matches = Readonly<Record<string, readonly string[]>>;

/** Asks every question three times, by each kind of template. */
export async function alertMatches(
  versions: Versions,
  from: string,
  to: string,
  questions: readonly (readonly Condition[])[],
): Promise<{ readonly changes: readonly ChangedUnit[]; readonly matches: Matches }> {
  const alerts = questions.flatMap((conditions, place): AskedAlert[] => [
    { ...ASKED, id: NEW(place), template: 'NEW_UNIT', signals: 0, watches: [], conditions },
    { ...ASKED, id: CHANGED(place), template: 'SIGNAL_CHANGE', signals: EVERYTHING.signals, watches: [], conditions },
    { ...ASKED, id: OTHERWISE(place), template: 'FIELD_CHANGE', signals: 0, watches: WATCHES, conditions },
  ]);
  const opened = await openComparison(versions, to, from);
  const changes: ChangedUnit[] = [];
  const matches: Record<string, string[]> = {};
  try {
    for await (const units of changedUnits(opened, { ...EVERYTHING, watches: WATCHES }, { changed: 0 }, () => {})) {
      changes.push(...units);
      await matchAlerts(units, alerts, {
        current: opened.current,
        store: NO_STORE,
        today: TODAY,
        keepOn: () => {},
        async matched({ id }, found) {
          matches[id] = [...(matches[id] ?? []), ...found.map(({ digits }) => unitNumberOf(digits))];
        },
        faulty({ id }, fault) {
          throw new Error(`${id}: ${fault}`);
        },
      });
    }
  } finally {
    await opened.close();
  }
  return { changes, matches };
}

const ASKED = { organisationId: '', among: null, ownTexts: false };
/** The store is asked only for an organisation's own texts, which these alerts do not search. */
const NO_STORE = {} as OrgStore;

interface Watched {
  readonly mastrNummer: string;
  readonly watched: string;
}

const byNumber = (rows: readonly Watched[]) => new Map(rows.map(({ mastrNummer, watched }) => [mastrNummer, watched]));

export async function expectedMatches(
  warehouse: string,
  from: string,
  to: string,
  questions: readonly (readonly Condition[])[],
): Promise<Matches> {
  const changes = await changesOfAll(warehouse, from, to);
  const matches: Record<string, string[]> = {};
  const watched = `SELECT mastrNummer, to_json([${WATCHED.map((name) => `${name}::VARCHAR`).join(', ')}])::VARCHAR AS watched FROM units`;
  const before = await withVersion(warehouse, from, async (query) => byNumber(await query<Watched>(watched)));
  await withVersion(warehouse, to, async (query) => {
    // A version knows those before it alone.
    const isKnown = (await query(`SELECT 1 FROM staende WHERE version = '${from}'`)).length > 0;
    const otherwise = (isKnown ? await query<Watched>(watched) : []).filter(
      (unit) => before.has(unit.mastrNummer) && before.get(unit.mastrNummer) !== unit.watched,
    );
    for (const [place, conditions] of questions.entries()) {
      const values = binder();
      const where = whereAll(conditions.map((condition) => conditionSql(condition, duckdb, values)));
      const statement = withToday(['SELECT mastrNummer FROM units', where], values.values, TODAY, duckdb);
      const rows = await query<{ mastrNummer: string }>(withLiterals(statement));
      const meeting = new Set(rows.map(({ mastrNummer }) => mastrNummer));
      const found = changes.filter(({ mastrNummer }) => meeting.has(mastrNummer));
      const isNew = found.filter((change) => change.isNew);
      const hasChanged = found.filter(({ signals, signalsBefore }) => signals !== signalsBefore);
      const isOtherwise = otherwise.filter(({ mastrNummer }) => meeting.has(mastrNummer));
      if (isOtherwise.length > 0) matches[OTHERWISE(place)] = isOtherwise.map(({ mastrNummer }) => mastrNummer).sort();
      if (isNew.length > 0) matches[NEW(place)] = isNew.map(({ mastrNummer }) => mastrNummer);
      if (hasChanged.length > 0) matches[CHANGED(place)] = hasChanged.map(({ mastrNummer }) => mastrNummer);
    }
  });
  return matches;
}
