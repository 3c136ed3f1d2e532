import { z } from 'zod';
import { type Settings, today } from '../../runtime/settings.ts';
import { columnsRead, type UnitField } from '../../sql/catalogue/field.ts';
import { type SignalId, signalsIn } from '../../sql/catalogue/signals.ts';
import { UNIT_COLUMN_NAMES } from '../../sql/catalogue/unit-columns.ts';
import { organisationOf, organisationRow } from '../../sql/org/organisations.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { takesChanges } from '../../sql/org/webhooks/endpoints.ts';
import { formerUnitsAt } from '../../sql/query/state.ts';
import { binder } from '../../sql/query/statement.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import { bookedBy } from '../access/booked.ts';
import { type ChangedMatch, MAX_MATCHES } from '../events/event.ts';
import { changesBetween, comparedFields } from '../history/compared.ts';
import { type FormerRow, formerRow, privateRow, textsOfRow, wideColumns } from '../state/rows.ts';
import { grantedFields } from '../units/selection.ts';
import type { VersionReader } from '../warehouse/version.ts';
import type { Comparison } from './changes.ts';
import type { AlertResult } from './outcomes.ts';

/** What changed of the first units of an event, for endpoints that take it: read while the version is open that has both states. */

const endpointRow = z.strictObject({ id: z.uuid() });

export async function addDetails(
  results: readonly AlertResult[],
  opened: Pick<Comparison, 'current' | 'before'>,
  { store, settings, keepOn }: { readonly store: OrgStore; readonly settings: Settings; keepOn(): void },
): Promise<void> {
  const fired = results.filter(({ fault, count }) => fault === null && count > 0);
  for (const [organisationId, own] of Map.groupBy(fired, ({ alert }) => alert.organisationId)) {
    keepOn();
    const row = await store.asOperator(async (session) =>
      (await session.row(endpointRow, takesChanges(organisationId))) === null
        ? null
        : session.row(organisationRow, organisationOf(organisationId)),
    );
    if (row === null) continue;
    const { modules, signals } = bookedBy(row);
    const shown = { fields: comparedFields(grantedFields(modules)), signals, today: today(settings) };
    for (const result of own) {
      keepOn();
      result.details = await changedMatches(result.numbers.slice(0, MAX_MATCHES).map(unitNumberOf), opened, shown);
    }
  }
}

interface Shown {
  readonly fields: readonly UnitField[];
  readonly signals: ReadonlySet<SignalId>;
  readonly today: string;
}

/** @param numbers of units that the version serves */
export async function changedMatches(
  numbers: readonly string[],
  {
    current,
    before: build,
  }: { readonly current: Pick<VersionReader, 'dialects' | 'query'> } & Pick<Comparison, 'before'>,
  shown: Shown,
): Promise<ChangedMatch[]> {
  const read = new Set([
    'mastrNummer',
    'bruttoleistungKw',
    'signals',
    'gueltigSeit',
    ...shown.fields.flatMap(columnsRead),
  ]);
  const columns = UNIT_COLUMN_NAMES.filter((name) => read.has(name));
  const dialect = current.dialects.units;
  const values = binder();
  const isAsked = dialect.isOneOf('units.mastrNummer', values.bind(numbers));
  const list = columns.map((name) => `${wideColumns(dialect, name)} AS ${dialect.column(name)}`).join(', ');
  const now = byNumber(
    await current.query(formerRow, { text: `SELECT ${list} FROM units WHERE ${isAsked}`, values: values.values }),
  );
  const then =
    build === null
      ? new Map<string, FormerRow>()
      : byNumber(
          await current.query(formerRow, {
            text: `SELECT ${list} FROM (${formerUnitsAt(build, columns)}) AS units WHERE ${isAsked}`,
            values: values.values,
          }),
        );
  return numbers.map((mastrNummer) => {
    const row = now.get(mastrNummer);
    if (row === undefined) throw new Error(`${mastrNummer} is not served, so no alert tells of it`);
    const texts = textsOfRow(row);
    // What has not changed since is as it was.
    const earlier = then.get(mastrNummer) ?? (build === null || Number(row.gueltigSeit) > build ? null : row);
    const [signals, signalsBefore] = [signalsOf(row, shown), earlier === null ? [] : signalsOf(earlier, shown)];
    return {
      mastrNummer,
      signalsGained: signals.filter((id) => !signalsBefore.includes(id)),
      signalsLost: signalsBefore.filter((id) => !signals.includes(id)),
      changes: earlier === null ? [] : changesBetween(textsOfRow(privateRow(earlier, texts)), texts, shown),
    };
  });
}

const byNumber = (rows: readonly FormerRow[]): ReadonlyMap<string, FormerRow> =>
  new Map(rows.map((row) => [String(row.mastrNummer), row]));

const signalsOf = ({ signals }: FormerRow, shown: Shown): SignalId[] =>
  signalsIn(Number(signals)).filter((id) => shown.signals.has(id));
