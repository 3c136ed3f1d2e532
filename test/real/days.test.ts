import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backfill } from '../../ingest/build/backfill.ts';
import { type BuildOutcome, build } from '../../ingest/build/build.ts';
import { buildPast } from '../../ingest/build/past.ts';
import { BuildRefused } from '../../ingest/run/build-refused.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { currentPublication } from '../../sql/warehouse/versions.ts';
import { type Row, readExport } from '../recount/read-export.ts';
import { SUPPORT_FIELDS } from '../recount/support.ts';
import { buildOptions, type Tables, warehouseFolder, withTables } from '../support/built.ts';
import { drawn } from '../support/cases.ts';
import { ingestHere } from '../support/command.ts';
import { differences } from '../support/differences.ts';
import { differencesBetween } from '../support/same-version.ts';
import { type Subject, serve } from '../support/service.ts';
import { openFresh, PREPARED } from '../support/store-engines.ts';
import { unitRows } from '../support/unit-rows.ts';
import { type Days, type Expected, expected, isMissing, pathOf, type RegisterState, titled } from './expected.ts';
import { figuresOf, recordsOf, servedCohorts, servedFigures } from './figures.ts';

/** Three states of the same register, loaded one after the other, out of order, and with the older ones taken in later. */

const { schritte } = expected<Days>('register-real-days.expected.json');
const STEPS: readonly RegisterState[] = schritte ?? [];

const TODAY = '2026-11-01';

const options = ({ datei, tag }: RegisterState, warehouse: string) => buildOptions(pathOf(datei), warehouse, tag);

/** The history of the days of a unit; one that is planned was so last in this very version. */
const HISTORY = {
  ersteRegistrierung: 'ersteRegistrierung',
  ersterPlantag: 'ersterPlantag',
  ersterPlantagVom: 'ersterPlantagVom',
  letzterPlantag: 'letzterPlantag',
  letzterPlantagVom: `CASE WHEN geplantesInbetriebnahmedatum IS NULL THEN letzterPlantagVom
    ELSE greatest(letzterPlantagVom, (SELECT exportDay FROM dataset)) END`,
  mehrmalsGeplant: 'ersterPlantagVom < letzterPlantagVom',
};

async function historyOf(tables: Tables): Promise<Map<string, unknown>> {
  const days = Object.entries(HISTORY).map(([name, value]) => `CAST(${value} AS VARCHAR) AS ${name}`);
  const rows = await tables(`SELECT mastrNummer, ${days.join(', ')} FROM units`);
  return new Map(rows.map(({ mastrNummer, ...days }) => [String(mastrNummer), { ...days }]));
}

/** The planned and registration days that the states themselves tell, read naively. */
async function historyOfStates(states: readonly ReadonlyMap<string, Row>[]): Promise<Map<string, unknown>> {
  const history = new Map<string, unknown>();
  for (const number of states.at(-1)!.keys()) {
    const seen = states.map((state, at) => ({ day: STEPS[at]!.tag, row: state.get(number) }));
    const planned = seen.filter(({ row }) => row?.GeplantesInbetriebnahmedatum !== undefined);
    const registered = seen.flatMap(({ row }) => row?.Registrierungsdatum ?? []).sort();
    history.set(number, {
      ersteRegistrierung: registered[0] ?? null,
      ersterPlantag: planned[0]?.row?.GeplantesInbetriebnahmedatum ?? null,
      ersterPlantagVom: planned[0]?.day ?? null,
      letzterPlantag: planned.at(-1)?.row?.GeplantesInbetriebnahmedatum ?? null,
      letzterPlantagVom: planned.at(-1)?.day ?? null,
      mehrmalsGeplant: planned.length === 0 ? null : String(planned.length > 1),
    });
  }
  return history;
}

const differingFields = (before: Record<string, unknown>, now: Record<string, unknown>): string[] =>
  Object.keys(now).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));

/** Reads the fields of each unit that its record does not have: signals, first registration, shift, delay. */
async function besideRecords(tables: Tables): Promise<Map<string, string>> {
  const rows = await tables(`
    SELECT mastrNummer, concat_ws(' ', signals, ersteRegistrierung,
      'shift ' || CASE WHEN ersterPlantagVom < letzterPlantagVom THEN ersterPlantag END,
      'delay ' || CASE WHEN inbetriebnahmedatum IS NOT NULL THEN letzterPlantag END) AS told
    FROM units`);
  return new Map(rows.map(({ mastrNummer, told }) => [String(mastrNummer), String(told)]));
}

async function unitsOfState({ datei }: RegisterState): Promise<Map<string, Row>> {
  const members = (await readExport(pathOf(datei))).filter(({ kind }) => kind.startsWith('Einheiten'));
  return new Map(
    members
      .flatMap(({ rows }) => rows)
      .flatMap((row) => (row.EinheitMastrNummer?.startsWith('SEE') ? [[row.EinheitMastrNummer, row]] : [])),
  );
}

describe.skipIf(isMissing)(titled('three days of real register content'), () => {
  const inOrder = warehouseFolder();
  const others: ReturnType<typeof warehouseFolder>[] = [];
  const outcomes: BuildOutcome[] = [];
  const served: Awaited<ReturnType<typeof servedFigures>>[] = [];
  let states: Map<string, Row>[];
  let service: Subject;
  let store: OrgStore;

  /** A warehouse in which only the first states were built so far. */
  const afterStep = new Map<number, string>();
  const copyOf = (step: number): string => {
    const copy = warehouseFolder();
    others.push(copy);
    cpSync(afterStep.get(step)!, copy.path, { recursive: true });
    return copy.path;
  };

  beforeAll(async () => {
    store = await openFresh(PREPARED);
    for (const step of STEPS) {
      outcomes.push(await build(options(step, inOrder.path)));
      const copy = warehouseFolder();
      others.push(copy);
      cpSync(inOrder.path, copy.path, { recursive: true });
      afterStep.set(step.schritt, copy.path);
      const during = await serve(inOrder.path, { TODAY }, store);
      served.push(await servedFigures(during));
      if (step === STEPS.at(-1)) service = during;
      else await during.stop();
    }
    states = await Promise.all(STEPS.map(unitsOfState));
  });

  afterAll(async () => {
    await service?.stop();
    await store?.close();
    for (const { remove } of [inOrder, ...others]) remove();
  });

  const queryStep = <T>(schritt: number, question: (tables: Tables) => Promise<T>): Promise<T> =>
    withTables(inOrder.path, question, outcomes[schritt - 1]!.report.version);

  it('are published without force, as no carrier leaves its band', () => {
    expect(outcomes.map(({ report }) => report.failedChecks)).toEqual([[], [], []]);
    expect(outcomes.map(({ publication }) => publication?.exportDay)).toEqual(STEPS.map(({ tag }) => tag));
  });

  it('lead to the same version by nights as from nothing, even when they come day by day', async () => {
    const [nights, nothing] = [warehouseFolder(), warehouseFolder()];
    others.push(nights, nothing);
    for (const [index, { datei }] of STEPS.entries()) {
      // Within a year, as each year has another calendar of tenders.
      const of = (warehouse: string) => buildOptions(pathOf(datei), warehouse, `2026-08-2${index}`);
      const { report } = await build({ ...of(nights.path), force: true, mostAffected: 1 });
      await build({ ...of(nothing.path), force: true, fromNothing: true });
      if (index > 0) expect(report.madeFrom).toMatchObject({ version: report.previousVersion, reason: null });
      expect(await differencesBetween(nights.path, nothing.path, report.version)).toEqual([]);
    }
  });

  it('make the same warehouse when a backfill takes them in at once, the newest first', async () => {
    const filled = warehouseFolder();
    others.push(filled);
    const { source: _, day: __, ...own } = options(STEPS[0]!, filled.path);
    const exports = STEPS.toReversed().map(({ datei, tag }) => ({ source: pathOf(datei), day: tag }));
    await buildPast(own, { exports, mayForget: false, begins: () => {} });
    expect(await differencesBetween(inOrder.path, filled.path, outcomes.at(-1)!.report.version)).toEqual([]);
  });

  describe.each(STEPS)('state of $tag', ({ schritt, einheiten, gegenVorgaenger }) => {
    const { kennzahlen, dateien, datensaetze, einzelpruefungen } = expected<Expected>(
      `register-real-day${schritt}.expected.json`,
    );

    it('has the records and figures of its export', async () => {
      expect(await queryStep(schritt, recordsOf)).toEqual({ dateien, datensaetze });
      const { koordinaten, ...figures } = kennzahlen;
      const found = await queryStep(schritt, (tables) => figuresOf(tables, figures.altersstruktur.stichtag));
      const { kohorten } = figures.altersstruktur;
      expect(found.altersstruktur.kohorten).toHaveLength(kohorten.length);
      expect(found).toEqual({
        ...figures,
        altersstruktur: { ...figures.altersstruktur, kohorten: expect.arrayContaining([...kohorten]) },
      });
      expect(found.einheitenGesamt).toBe(einheiten);
      const [located] = await queryStep(schritt, (tables) =>
        tables('SELECT CAST(count(*) AS INTEGER) AS n FROM units WHERE latitude IS NOT NULL'),
      );
      expect(located).toEqual({ n: koordinaten.davonAb30Kw });
    });

    it('was served with time series and age structure', () => {
      expect(served[schritt - 1]).toMatchObject({
        zeitreihe: kennzahlen.zeitreihe,
        kohorten: servedCohorts(kennzahlen),
      });
    });

    it('shows its single units', async () => {
      const rows = await queryStep(schritt, unitRows);
      for (const { bedient } of einzelpruefungen) {
        const { eegZuschlagsnummerRoh: _, bilanzierungsgebietYeic: __, ...fields } = bedient;
        expect(rows.get(String(bedient.mastrNummer))).toMatchObject(fields);
      }
    });

    it.skipIf(gegenVorgaenger === null)('differs from the one before as listed', async () => {
      const { neu, verschwunden, geaendert, nurAndereElemente } = gegenVorgaenger!;
      const before = await queryStep(schritt - 1, unitRows);
      const now = await queryStep(schritt, unitRows);
      const fresh = (
        await queryStep(schritt, (tables) => tables(`SELECT mastrNummer FROM units WHERE inhaltSeit = ${schritt}`))
      ).map(({ mastrNummer }) => String(mastrNummer));
      expect(fresh.filter((number) => !before.has(number)).sort()).toEqual([...neu].sort());

      // A unit has more fields than its record: five operators changed only their name, and signals and history change
      // with the day.
      const stayed = [...now.keys()].filter((number) => before.has(number));
      const changed = stayed.filter((number) => differingFields(before.get(number)!, now.get(number)!).length > 0);
      const [earlier, later] = [await queryStep(schritt - 1, besideRecords), await queryStep(schritt, besideRecords)];
      const different = stayed.filter(
        (number) => changed.includes(number) || earlier.get(number) !== later.get(number),
      );
      expect(fresh.filter((number) => before.has(number)).sort()).toEqual(different.sort());
      expect(Object.keys(geaendert).filter((number) => !changed.includes(number))).toEqual([]);
      const listed = new Set([...Object.keys(geaendert), ...nurAndereElemente]);
      const unlisted = changed.filter((number) => !listed.has(number));
      // Support values also follow from elements of the EEG plant, which the list of changes does not have.
      const beyondSupport = unlisted
        .flatMap((number) => differingFields(before.get(number)!, now.get(number)!))
        .filter((name) => !SUPPORT_FIELDS.some((field) => field === name));
      expect(new Set(beyondSupport)).toEqual(new Set(beyondSupport.length > 0 ? ['betreiberName'] : []));
      for (const [number, fields] of Object.entries(geaendert)) {
        for (const [name, [old, current]] of Object.entries(fields)) {
          expect([before.get(number)![name], now.get(number)![name]], `${number} ${name}`).toEqual([old, current]);
        }
      }

      const gone = await queryStep(schritt, (tables) =>
        tables(
          `SELECT mastrNummer, abgangGrund FROM units_departed WHERE abgangSeit = ${schritt} ORDER BY mastrNummer`,
        ),
      );
      expect(gone).toEqual(
        [...verschwunden].sort().map((mastrNummer) => ({ mastrNummer, abgangGrund: 'verschwunden' })),
      );
    });
  });

  it('keeps departed units in units_departed until they return', async () => {
    const left = new Set<string>();
    for (const { schritt, gegenVorgaenger } of STEPS) {
      for (const number of gegenVorgaenger?.verschwunden ?? []) left.add(number);
      for (const number of gegenVorgaenger?.neu ?? []) left.delete(number);
      const departed = await queryStep(schritt, (tables) =>
        tables('SELECT mastrNummer FROM units_departed ORDER BY mastrNummer'),
      );
      expect(departed.map(({ mastrNummer }) => mastrNummer)).toEqual([...left].sort());
    }
    const [first, second, third] = states;
    const returned = [...third!.keys()].filter((number) => first!.has(number) && !second!.has(number));
    expect(returned.length).toBeGreaterThan(0);
  });

  describe('history', () => {
    it('has first and last planned day and first registration of every unit', async () => {
      const history = await queryStep(3, historyOf);
      expect(differences(await historyOfStates(states), history)).toEqual([]);
    });

    it('has delay and shift of every unit that moved its planned day or was commissioned', async () => {
      const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
      const touched = new Set(
        STEPS.flatMap(({ gegenVorgaenger }) =>
          Object.entries(gegenVorgaenger?.geaendert ?? {})
            .filter(([, fields]) => 'geplantesInbetriebnahmedatum' in fields || 'inbetriebnahmedatum' in fields)
            .map(([number]) => number),
        ),
      );
      let delays = 0;
      let shifts = 0;
      for (const number of touched) {
        const now = states[2]!.get(number);
        if (now === undefined) continue;
        const planned = states.flatMap((state) => state.get(number)?.GeplantesInbetriebnahmedatum ?? []);
        const real = now.Inbetriebnahmedatum;
        const current = now.GeplantesInbetriebnahmedatum;
        const last = planned.at(-1);
        const delay =
          real !== undefined
            ? last === undefined
              ? null
              : days(last, real)
            : current !== undefined && current < TODAY
              ? days(current, TODAY)
              : null;
        const shift = current !== undefined && planned.length > 1 ? days(planned[0]!, current) : null;
        const { json } = await service.get(`/v1/units/${number}`);
        const { ibnVerspaetungTage, ibnVerschiebungTage } = json.data;
        expect({ number, ibnVerspaetungTage, ibnVerschiebungTage }).toEqual({
          number,
          ibnVerspaetungTage: delay,
          ibnVerschiebungTage: shift,
        });
        if (delay !== null) delays++;
        if (shift !== null) shifts++;
      }
      expect(delays).toBeGreaterThan(20);
      expect(shifts).toBeGreaterThan(20);
    });
  });

  describe('out of order', () => {
    const [first, second, third] = STEPS as [RegisterState, RegisterState, RegisterState];
    /** The day that comes late. */
    const tried = drawn([first, second], 1);

    it('refuses an export that is older than the one served, and keeps the served version', async () => {
      const warehouse = copyOf(2);
      await expect(build(options(first, warehouse))).rejects.toThrow(BuildRefused);
      await withTables(warehouse, async (tables) => {
        expect(await tables('SELECT CAST(exportDay AS VARCHAR) AS tag FROM dataset')).toEqual([{ tag: second.tag }]);
      });
    });

    it('refuses to backfill where nothing is served yet, and what is not older', async () => {
      const empty = warehouseFolder();
      others.push(empty);
      await expect(backfill(options(first, empty.path))).rejects.toThrow(BuildRefused);
      const warehouse = copyOf(2);
      await expect(backfill(options(second, warehouse))).rejects.toThrow(BuildRefused);
      await expect(backfill(options(third, warehouse))).rejects.toThrow(BuildRefused);
    });

    it.runIf(tried.includes(first))(
      'has the same history when the first day is backfilled before the third is built',
      async () => {
        const warehouse = warehouseFolder();
        others.push(warehouse);
        await build(options(second, warehouse.path));
        const before = await withTables(warehouse.path, historyOf);
        expect(await backfill(options(first, warehouse.path))).toEqual({
          exportDay: first.tag,
          units: first.einheiten,
        });
        expect(await withTables(warehouse.path, historyOf)).toEqual(before);
        const { report } = await build(options(third, warehouse.path));
        expect(report.historyDays).toEqual([first.tag]);
        expect(differences(await queryStep(3, historyOf), await withTables(warehouse.path, historyOf))).toEqual([]);
      },
    );

    it.runIf(tried.includes(second))(
      'has the same history when the second day is backfilled after the third, once it is built again',
      async () => {
        const warehouse = copyOf(1);
        const { tag } = first;
        // From the first day to the third, storage leaves its band, so nothing is published without force.
        const kept = await build(options(third, warehouse));
        expect(kept.publication).toBeNull();
        expect(kept.report.failedChecks).toEqual([expect.stringMatching(/^storage: 804 units after 715, \+12\.4 %/)]);
        await withTables(warehouse, async (tables) => {
          expect(await tables('SELECT CAST(exportDay AS VARCHAR) AS tag FROM dataset')).toEqual([{ tag }]);
        });
        expect((await ingestHere(warehouse, ['publish', kept.report.version, '--force'])).code).toBe(0);
        expect(currentPublication(warehouse)?.forced).toEqual(kept.report.failedChecks);
        const delayed = differences(await queryStep(3, historyOf), await withTables(warehouse, historyOf));
        expect(delayed).not.toEqual([]);
        expect(await backfill(options(second, warehouse))).toEqual({ exportDay: second.tag, units: second.einheiten });
        const { report } = await build(options(third, warehouse));
        expect(report.historyDays).toEqual([second.tag]);
        expect(differences(await queryStep(3, historyOf), await withTables(warehouse, historyOf))).toEqual([]);
      },
    );
  });
});
