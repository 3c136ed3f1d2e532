import { z } from 'zod';
import type { LevelRow } from '../../sql/query/grid.ts';
import { share } from '../regions/figures.ts';

/** The figures of a grid, as answers have them. */

export const capacityShape = z.strictObject({
  anzahl: z.int().describe('Units'),
  bruttoleistungKw: z.number().describe('Sum of the gross capacity (kW); unknown capacity adds nothing'),
  nettonennleistungKw: z.number().describe('Sum of the net capacity (kW)'),
});

const energy = z
  .number()
  .nullable()
  .describe('Usable capacity of storage (kWh), each plant once; null where an earlier release built the version');

const controlled = z.strictObject({
  anzahl: z.int(),
  bruttoleistungKw: z.number(),
});

const part = z.number().nullable().describe('0 to 1; null where there is no stock');

export const gridFigures = {
  bestand: capacityShape.extend({ speicherkapazitaetKwh: energy }).describe('Units in operation (`In Betrieb`)'),
  pipeline: capacityShape
    .extend({
      speicherkapazitaetKwh: energy,
      genehmigtAnzahl: z.int().describe('Those with a permit'),
      genehmigtKw: z.number().describe('Their gross capacity (kW)'),
      mitDatumAnzahl: z.int().describe('Those with a planned day of commissioning'),
    })
    .describe('Units planned or being built, which the register does not tell apart (`In Planung`)'),
  stillgelegt: controlled.describe('Units that are out of operation, for a time or for good'),
  fernsteuerbar: controlled
    .extend({
      anteilAnzahl: part,
      anteilLeistung: part,
      netzbetreiber: controlled.describe('By a grid operator'),
      direktvermarkter: controlled.describe('By a direct marketer'),
      ohneAngabe: controlled.describe('Units that say nothing about either'),
    })
    .describe('Of the stock: what a grid operator or a direct marketer can control remotely'),
};

const figuresShape = z.strictObject(gridFigures);

type Sums = Omit<LevelRow, 'einheitTyp' | 'spannungsebene'>;

const NOTHING: Sums = {
  ...{ stockCount: 0, stockKw: 0, stockNetKw: 0, pipelineCount: 0, pipelineKw: 0, pipelineNetKw: 0 },
  ...{ permittedCount: 0, permittedKw: 0, datedCount: 0, shutCount: 0, shutKw: 0 },
  ...{
    gridCount: 0,
    gridKw: 0,
    marketerCount: 0,
    marketerKw: 0,
    remoteCount: 0,
    remoteKw: 0,
    silentCount: 0,
    silentKw: 0,
  },
};

/** Adds rows up. Thousandths are whole numbers, so nothing is lost. */
export function summed(rows: readonly Sums[]): Sums {
  const names = Object.keys(NOTHING) as (keyof typeof NOTHING)[];
  const add = (name: keyof Sums) => rows.reduce((sum, row) => sum + Math.round((row[name] ?? 0) * 1000), 0) / 1000;
  const energy = rows.every(({ stockKwh }) => stockKwh !== undefined)
    ? { stockKwh: add('stockKwh'), pipelineKwh: add('pipelineKwh') }
    : {};
  return { ...NOTHING, ...Object.fromEntries(names.map((name) => [name, add(name)])), ...energy };
}

/** @param row sums of levelRow */
export const figuresOf = (row: Sums): z.infer<typeof figuresShape> => ({
  bestand: {
    anzahl: row.stockCount,
    bruttoleistungKw: row.stockKw,
    nettonennleistungKw: row.stockNetKw,
    speicherkapazitaetKwh: row.stockKwh ?? null,
  },
  pipeline: {
    anzahl: row.pipelineCount,
    bruttoleistungKw: row.pipelineKw,
    nettonennleistungKw: row.pipelineNetKw,
    speicherkapazitaetKwh: row.pipelineKwh ?? null,
    genehmigtAnzahl: row.permittedCount,
    genehmigtKw: row.permittedKw,
    mitDatumAnzahl: row.datedCount,
  },
  stillgelegt: { anzahl: row.shutCount, bruttoleistungKw: row.shutKw },
  fernsteuerbar: {
    anzahl: row.remoteCount,
    bruttoleistungKw: row.remoteKw,
    anteilAnzahl: share(row.remoteCount, row.stockCount),
    anteilLeistung: share(row.remoteKw, row.stockKw),
    netzbetreiber: { anzahl: row.gridCount, bruttoleistungKw: row.gridKw },
    direktvermarkter: { anzahl: row.marketerCount, bruttoleistungKw: row.marketerKw },
    ohneAngabe: { anzahl: row.silentCount, bruttoleistungKw: row.silentKw },
  },
});
