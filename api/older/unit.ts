import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';
import type { UnitField } from '../../sql/catalogue/field.ts';
import { UNIT_FIELDS } from '../../sql/catalogue/unit-fields.ts';
import type { UnitRow } from '../units/read.ts';
import { olderStatus } from './filters.ts';

/** A unit in the older variant: its names, and the fields of today that they stand for. */

type Names = Readonly<Record<string, string>>;

const LIST_NAMES: Names = {
  mastrNummer: 'mastrNummer',
  einheitTyp: 'einheitTyp',
  name: 'name',
  status: 'betriebsStatus',
  bruttoleistung: 'bruttoleistungKw',
  inbetriebnahme: 'inbetriebnahmedatum',
  geplanteInbetriebnahme: 'geplantesInbetriebnahmedatum',
  bundesland: 'bundesland',
  plz: 'plz',
  latitude: 'latitude',
  longitude: 'longitude',
};

/** The names in the detail of every unit. */
const DETAIL_NAMES: Names = {
  ...LIST_NAMES,
  nettonennleistung: 'nettonennleistungKw',
  registrierungsdatum: 'registrierungsdatum',
  stilllegung: 'stilllegungsdatum',
  ort: 'ort',
  landkreis: 'landkreis',
  gemeinde: 'gemeinde',
  betreiber: 'betreiberName',
  netzbetreiber: 'netzbetreiber',
  spannungsebene: 'spannungsebene',
};

/** The further names in the detail of a unit, by its carrier. */
const CARRIER_NAMES: Readonly<Record<(typeof CARRIERS)[number], Names>> = {
  wind: {
    lage: 'windSeelage',
    windpark: 'windpark',
    hersteller: 'windHersteller',
    typenbezeichnung: 'windTypenbezeichnung',
    nabenhoehe: 'windNabenhoeheM',
    rotordurchmesser: 'windRotordurchmesserM',
  },
  solar: {
    lage: 'solarLage',
    nutzungsbereich: 'solarNutzungsbereich',
    anzahlModule: 'solarAnzahlModule',
    hauptausrichtung: 'solarHauptausrichtung',
    hauptneigung: 'solarHauptneigung',
    nebenausrichtung: 'solarNebenausrichtung',
    wechselrichterleistung: 'solarWechselrichterleistungKw',
  },
  storage: {
    technologie: 'speichertechnologie',
    batterietechnologie: 'batterietechnologie',
    speicherkapazitaet: 'speicherkapazitaetKwh',
  },
  biomass: { hauptbrennstoff: 'hauptbrennstoff', biomasseart: 'biomasseart', technologie: 'biomasseTechnologie' },
  hydro: { wasserkraftart: 'wasserkraftart', zuflussart: 'zuflussart' },
  geothermal: { technologie: 'geothermieTechnologie' },
  combustion: { hauptbrennstoff: 'hauptbrennstoff', technologie: 'verbrennungTechnologie' },
  nuclear: { technologie: 'kernkraftTechnologie' },
};

const fieldNamed = (name: string): UnitField => {
  const field = UNIT_FIELDS.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`The older variant shows a field ${name} that the catalogue does not have`);
  return field;
};

const fieldsOf = (...groups: readonly Names[]): UnitField[] =>
  [...new Set(groups.flatMap((names) => Object.values(names)))].map(fieldNamed);

export const LIST_FIELDS = fieldsOf(LIST_NAMES);
export const DETAIL_FIELDS = fieldsOf(DETAIL_NAMES, ...Object.values(CARRIER_NAMES));

type Shown = string | number | null;

export const listUnit = (row: UnitRow): Record<string, Shown> => shown(row, LIST_NAMES);

export const detailUnit = (row: UnitRow): Record<string, Shown> =>
  shown(row, { ...DETAIL_NAMES, ...CARRIER_NAMES[row.einheitTyp as (typeof CARRIERS)[number]] });

const shown = (row: UnitRow, names: Names): Record<string, Shown> => {
  const values = Object.entries(names).map(([older, name]) => [older, (row[name] ?? null) as Shown]);
  const unit = Object.fromEntries(values);
  return {
    ...unit,
    einheitTyp: String(row.einheitTyp).toUpperCase(),
    status: olderStatus(unit.status as string | null),
  };
};

const day = z.iso.date().nullable();
const word = z.string().nullable();
const figure = z.number().nullable();

const listMembers = {
  mastrNummer: z.string(),
  einheitTyp: z.enum(CARRIERS.map((carrier) => carrier.toUpperCase())),
  name: word,
  status: word,
  bruttoleistung: figure.describe('kW'),
  inbetriebnahme: day,
  geplanteInbetriebnahme: day,
  bundesland: word,
  plz: word,
  latitude: figure,
  longitude: figure,
};

export const listUnitShape = z.strictObject(listMembers).meta({ id: 'OlderUnit' });

const KINDS = { day, decimal: figure, integer: figure } as Readonly<Record<string, z.ZodType>>;

const memberShapes = (names: Names): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(names).map(([older, name]) => {
      const { kind, meaning, unit } = fieldNamed(name);
      return [older, (KINDS[kind] ?? word).describe(unit === null ? meaning : `${meaning} (${unit})`)];
    }),
  );

/** The members of other carriers are absent. */
export const detailUnitShape = z
  .strictObject({
    ...memberShapes(DETAIL_NAMES),
    ...listMembers,
    ...Object.fromEntries(
      Object.values(CARRIER_NAMES)
        .flatMap((names) => Object.entries(memberShapes(names)))
        .map(([name, shape]) => [name, shape.optional()]),
    ),
  })
  .meta({ id: 'OlderUnitDetail' });
