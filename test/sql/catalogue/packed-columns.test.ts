import { describe, expect, test } from 'vitest';
import { FLAG_COLUMNS, SHARED_COLUMNS } from '../../../sql/catalogue/packed-columns.ts';
import { hasColumn, OF_SELDOM, PROJECTIONS, SELDOM_FLAGS, SELDOM_VALUES } from '../../../sql/catalogue/projections.ts';
import { fieldNamed, UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { REGISTER_FIELDS } from '../../../sql/register/fields.ts';

/** DuckDB's projections keep the columns of units in a form on which versions in service rely, and nothing is lost in it. */

test('what was released has not changed, as versions that were built so are in service', () => {
  expect({ FLAG_COLUMNS, SHARED_COLUMNS, OF_SELDOM, SELDOM_VALUES, SELDOM_FLAGS }).toMatchInlineSnapshot(`
    {
      "FLAG_COLUMNS": {
        "merkmale": [
          "latitude",
          "eegMastrNummer",
          "eegZuschlagsnummer",
          "mitKwk",
          "kwkMastrNummer",
          "kwkZuschlagsnummer",
          "nepGelistet",
          "genehmigungMastrNummer",
          "buergerenergie",
          "grenzkraftwerk",
          "mitFlexipraemie",
          "leistungserhoehung",
          "minderungStromerzeugung",
          "speicherNotstromaggregat",
        ],
      },
      "OF_SELDOM": "units_by_planned_commissioning",
      "SELDOM_FLAGS": [
        "eegZuschlagsnummer",
        "mitKwk",
        "kwkMastrNummer",
        "kwkZuschlagsnummer",
        "nepGelistet",
        "genehmigungMastrNummer",
        "grenzkraftwerk",
        "mitFlexipraemie",
        "leistungserhoehung",
        "minderungStromerzeugung",
      ],
      "SELDOM_VALUES": [
        "geplantesInbetriebnahmedatum",
        "stilllegungsdatum",
        "ersterPlantag",
        "ersterPlantagVom",
        "letzterPlantag",
        "letzterPlantagVom",
        "eegPhasenwechsel",
        "eegReferenzertragVerhaeltnis",
        "windSeelage",
        "gebotstermine",
        "auffaelligkeiten",
      ],
      "SHARED_COLUMNS": {
        "technik1": [
          "solarLage",
          "speichertechnologie",
          "windHersteller",
          "biomasseart",
          "wasserkraftart",
          "verbrennungTechnologie",
          "geothermieTechnologie",
          "kernkraftTechnologie",
        ],
        "technik2": [
          "solarNutzungsbereich",
          "speicherAcDcKopplung",
          "windTypenbezeichnung",
          "hauptbrennstoff",
          "zuflussart",
        ],
        "technik3": [
          "solarSpeicherVorhanden",
          "windpark",
          "biomasseTechnologie",
          "pumpspeichertechnologie",
        ],
      },
    }
  `);
});

/** Expressions over the names of makers and types, which wind.csv and the like give to wind turbines alone. */
const WIND_NAMES = /^windname\./;

/** The kinds of files, or the carrier, that a field has values from. */
function origins(name: string): string[] {
  const { source } = fieldNamed(name);
  if (source === null) throw new Error(`${name} has no column`);
  if (WIND_NAMES.test(source.sql)) return ['EinheitenWind'];
  const kinds = source.reads.flatMap(({ name: element }) =>
    REGISTER_FIELDS.filter(({ field, file }) => field === element && file.startsWith('Einheiten')).map(
      ({ file }) => file,
    ),
  );
  const [, carrier] = /einheitTyp = '(\w+)'/.exec(source.sql) ?? [];
  return carrier === undefined ? kinds : kinds.filter((kind) => CARRIERS_OF_KIND[kind]?.includes(carrier));
}

/** The carriers of the kinds of files of which one element is a technology (macro `carrier` of the build). */
const CARRIERS_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  EinheitenBiomasse: ['biomass'],
  EinheitenKernkraft: ['nuclear'],
  EinheitenSolar: ['solar'],
  EinheitenStromSpeicher: ['storage'],
  EinheitenVerbrennung: ['combustion'],
  EinheitenGeothermieGrubengasDruckentspannung: ['geothermal', 'combustion'],
};

describe('no unit has values of two columns that share one', () => {
  test.each(Object.entries(SHARED_COLUMNS))('%s', (_, names) => {
    const users = names.flatMap((name) => {
      const carrier = /einheitTyp = '(\w+)'/.exec(fieldNamed(name).source?.sql ?? '')?.[1] ?? '';
      const from = origins(name);
      expect(from, name).not.toEqual([]);
      // In the mixed file, the carrier tells technologies apart.
      return from.map((kind) =>
        kind === 'EinheitenGeothermieGrubengasDruckentspannung' ? `${kind} ${carrier}` : kind,
      );
    });
    expect(users).toEqual([...new Set(users)]);
  });
});

test('every projection has the columns that pages are sorted by', () => {
  const sortable = UNIT_FIELDS.filter((field) => field.sortable).map(({ name }) => name);
  for (const table of Object.keys(PROJECTIONS) as (keyof typeof PROJECTIONS)[])
    expect(sortable.filter((name) => !hasColumn(table, name))).toEqual([]);
});
