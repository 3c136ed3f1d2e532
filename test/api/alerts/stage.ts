import { randomUUIDv7 } from 'node:crypto';
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { z } from 'zod';
import { type EvaluatorParts, evaluatePending } from '../../../api/alerts/evaluator.ts';
import { openMetrics } from '../../../api/metrics/metrics.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { signalMask } from '../../../sql/catalogue/signals.ts';
import { type AlertRow, putAlerts } from '../../../sql/org/alerts/alerts.ts';
import { sql } from '../../../sql/org/statement.ts';
import type { OrgStore } from '../../../sql/org/store.ts';
import { type Publication, parseVersionId, versionFolder } from '../../../sql/warehouse/versions.ts';
import { buildVersion } from '../../support/fixture.ts';
import { versionsIn } from './versions.ts';

/** Versions of a few units, publications of them in any order, and the events that alerts made of these. */

/** The units of a version, by the last digit of their numbers. */
export type Units = Readonly<Record<number, { readonly carrier?: string; readonly signals?: readonly string[] }>>;

export const unit = (digit: number): string => `SEE90000000000${digit}`;

export const versionOf = (build: number): string => `202611${String(build).padStart(2, '0')}-000${build}`;

/** Builds a version in which every unit has new content. @param upon the builds that it descends from */
export const buildSmall = (warehouse: string, build: number, upon: readonly number[], units: Units): Promise<void> =>
  buildVersion(warehouse, versionOf(build), async (connection) => {
    const rows = Object.entries(units).map(
      ([digit, { carrier = 'solar', signals = [] }]) =>
        `('${unit(Number(digit))}', '${carrier}', 'Park ${digit}', ${signalMask(signals)})`,
    );
    await connection.run(`INSERT INTO units BY NAME
      SELECT *, 'Bayern' AS bundesland, 1 AS region FROM (VALUES ${rows.join(', ')}) AS u(mastrNummer, einheitTyp, name, signals)`);
    const line = [...upon, build].map((one) => `('${versionOf(one)}', ${one}, ${one})`);
    await connection.run(`INSERT INTO vorgaenger VALUES ${line.join(', ')}`);
  });

/** An event as a test compares it. */
interface Told {
  readonly alert: string;
  readonly version: string;
  /** Last digits of the units. */
  readonly units: readonly number[];
}

export interface Stage {
  readonly parts: EvaluatorParts;
  /** Publishes a build, a minute after the one before. */
  publish(build: number, cause?: Publication['cause']): void;
  /** Removes the files of a build. */
  prune(build: number): void;
  /** Does what the service does after a publication. */
  evaluate(store?: OrgStore): Promise<boolean>;
  /** Every event in the order of their numbers. */
  told(): Promise<Told[]>;
}

/** 2026-11-20, 08:00 and some minutes. */
export const moment = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString();

/** @param idOf the version of a build */
export function openStage(warehouse: string, store: OrgStore, idOf = versionOf): Stage {
  const publications: Publication[] = [];
  const versions = versionsIn(warehouse);
  const parts: EvaluatorParts = {
    ...{ store, log: pino({ level: process.env.TEST_LOG ?? 'silent' }), metrics: openMetrics() },
    settings: readSettings({ BASE_URL: 'http://service.example', TODAY: '2026-11-20' }),
    warehouse: { ...versions, publications: () => publications },
    eventsStored: () => {},
  };
  return {
    parts,
    publish(build, cause = 'build') {
      const version = parseVersionId(idOf(build))!;
      const publishedAt = moment(publications.length);
      publications.push({ ...version, version: version.id, publishedAt, cause });
    },
    prune: (build) => rmSync(versionFolder(warehouse, idOf(build)), { recursive: true }),
    evaluate: (other = store) => evaluatePending({ ...parts, store: other }, new AbortController().signal),
    async told() {
      const rows = await store.autocommit(
        z.strictObject({ alert: z.string(), version: z.string(), numbers: z.array(z.string()) }),
        sql`SELECT e.payload::jsonb -> 'data' -> 'alert' ->> 'name' AS alert, coalesce(a.version, '') AS version,
              e.mastr_numbers AS numbers
            FROM events e LEFT JOIN alert_evaluations a ON a.event_id = e.id ORDER BY e.organisation_id, e.number`,
      );
      return rows.map(({ numbers, ...row }) => ({ ...row, units: numbers.map((number) => Number(number.at(-1))) }));
    },
  };
}

/** Stores an alert that was enabled before everything was published. */
export async function makeAlert(
  store: OrgStore,
  organisationId: string,
  choices: Partial<AlertRow> & Pick<AlertRow, 'name'>,
): Promise<AlertRow> {
  const row: AlertRow = {
    id: randomUUIDv7(),
    template: 'NEW_UNIT',
    signals: [],
    fields: [],
    criteria: choices.savedFilterId === undefined ? {} : null,
    savedFilterId: null,
    enabled: true,
    enabledAt: '2026-01-01T00:00:00.000Z',
    fault: null,
    faultySince: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...choices,
  };
  await store.asOperator((session) => session.run(putAlerts(organisationId, [row])));
  return row;
}
