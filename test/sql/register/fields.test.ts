import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planFor, type StagedColumn, slotsOf, tableColumns } from '../../../ingest/stage/plan.ts';
import { CATALOGUE_KINDS, STAGED_TABLES, tableOf } from '../../../ingest/stage/tables.ts';
import { STAGED_ALIASES } from '../../../sql/catalogue/expression.ts';
import { STORED_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import {
  fieldsOf,
  isKnownName,
  isNameOfRegister,
  parseMemberName,
  REGISTER_FIELDS,
  REGISTER_KINDS,
} from '../../../sql/register/fields.ts';

/** The field table of the export, and what is staged of it. */

const CATALOGUES = { values: new Map<number, string>(), systemLists: new Map<string, Map<number, string>>() };

const TYPES = ['text', 'boolean', 'catalogue', 'day', 'number', 'decimal', 'time', 'list', 'integer'];

describe('the field table', () => {
  it('knows the 38 kinds of files', () => {
    expect(REGISTER_KINDS).toHaveLength(38);
    expect(new Set(REGISTER_KINDS).size).toBe(38);
  });

  it.each(REGISTER_KINDS.map((kind) => [kind]))('%s has its elements, each once and of a known type', (kind) => {
    const fields = fieldsOf(kind);
    expect(fields.length).toBeGreaterThan(1);
    const names = fields.map(({ field }) => field.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const { field, type, record, file } of fields) {
      expect(field).toMatch(/^[A-Za-z0-9_]+$/);
      expect(TYPES, field).toContain(type);
      expect(record).not.toBe('');
      expect(file).toBe(kind);
    }
    expect(new Set(fields.map(({ record }) => record)).size).toBe(1);
  });

  it.each([
    ['EinheitenWind', 81],
    ['EinheitenSolar', 71],
    ['EinheitenBiomasse', 61],
    ['EinheitenStromSpeicher', 71],
    ['AnlagenEegSolar', 19],
    ['AnlagenKwk', 10],
    ['Marktakteure', 62],
    ['Netze', 9],
    ['Katalogwerte', 3],
    ['Marktrollen', 2],
  ])('%s has all %i elements of the present release', (kind, count) => {
    expect(fieldsOf(kind).filter(({ now }) => now === '').length).toBeGreaterThanOrEqual(count);
  });

  it('has no entry for an unknown kind', () => {
    expect(fieldsOf('EinheitenMond')).toEqual([]);
  });

  it('treats days written as timestamps as days', () => {
    const types = REGISTER_FIELDS.filter(({ field }) => field === 'InbetriebnahmedatumAmAktuellenStandort').map(
      ({ type }) => type,
    );
    expect(types.length).toBeGreaterThan(0);
    expect(new Set(types)).toEqual(new Set(['day']));
  });
});

describe('personal data', () => {
  const classes = readFileSync(new URL('../../../sql/register/privacy.csv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => /^([a-z_]+),(yes|no),"(.+)"$/.exec(line)?.slice(1) ?? [line]);

  it('is declared for every class, with its source, and every class has elements', () => {
    for (const [name, personal, why] of classes) expect(why?.length, `${name} ${personal}`).toBeGreaterThan(20);
    expect(new Set(REGISTER_FIELDS.map(({ privacy }) => privacy))).toEqual(new Set(classes.map(([name]) => name)));
  });

  it.each([
    ...['Firmenname', 'MarktakteurVorname', 'MarktakteurNachname', 'MarktakteurAnrede', 'Email', 'Telefon', 'Fax'],
    ...['Strasse', 'Hausnummer', 'Hausnummer_nv', 'Adresszusatz', 'FlurFlurstuecknummern', 'Gemarkung'],
    ...['StrasseAnZustelladresse', 'KontaktdatenMarktrolle', 'EmailVMav', 'Webseite', 'Registernummer'],
    ...['Umsatzsteueridentifikationsnummer', 'Taetigkeitsbeginn', 'RegistrierungsdatumMarktakteur', 'Personenart'],
    ...['AnlagenbetreiberMastrNummer', 'AltAnlagenbentreiberMastrNummer', 'MarktakteurMastrNummer', 'Messlokation'],
    ...['Laengengrad', 'Breitengrad', 'NameStromerzeugungseinheit', 'Aktenzeichen', 'NameDerTechnischenLokation'],
  ])('%s is personal in every file', (element) => {
    const fields = REGISTER_FIELDS.filter(({ field }) => field === element);
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.every(({ personal }) => personal)).toBe(true);
  });

  it.each(['Bruttoleistung', 'Inbetriebnahmedatum', 'EinheitBetriebsstatus', 'Bundesland', 'Gemeindeschluessel'])(
    '%s of a unit is not',
    (element) => {
      const fields = REGISTER_FIELDS.filter(({ file, field }) => file.startsWith('Einheiten') && field === element);
      expect(fields.length).toBeGreaterThan(0);
      expect(fields.some(({ personal }) => personal)).toBe(false);
    },
  );

  it('is every element of an actor except its grid', () => {
    const impersonal = ['Marktakteure', 'MarktakteureUndRollen', 'GeloeschteUndDeaktivierteMarktakteure']
      .flatMap(fieldsOf)
      .filter(({ personal }) => !personal);
    expect(impersonal.map(({ field }) => field)).toEqual(['Netz']);
  });

  it('is declared equally for an element in all files of a staged table', () => {
    for (const { kinds } of STAGED_TABLES) {
      const classesOf = Map.groupBy(kinds.flatMap(fieldsOf), ({ field }) => field);
      for (const [field, entries] of classesOf) {
        expect(new Set(entries.map(({ personal }) => personal)).size, field).toBe(1);
      }
    }
  });
});

describe('names', () => {
  it('of every element, record and file of the field table follow the spelling of the register', () => {
    const names = REGISTER_FIELDS.flatMap(({ file, record, field }) => [file, record, field]);
    expect(names.filter((name) => !isNameOfRegister(name))).toEqual([]);
    expect(names.every(isKnownName)).toBe(true);
  });

  it.each(['Rotorfarbe', 'NeuesFeld2', 'Weic_nv', 'AnteilKwStandort'])('could be names of the register: %s', (name) => {
    expect(isNameOfRegister(name)).toBe(true);
    expect(isKnownName(name)).toBe(name === 'Weic_nv');
  });

  it.each([
    ...[
      '',
      'A',
      'strasse',
      'ERIKA',
      'Erika Beispiel',
      'erika@example.org',
      'v:Strasse',
      'Straße',
      'Weg7a',
      '0171123456',
    ],
    ...['Telefon0171123456', 'Strasse_Beispiel', 'Strasse-Neu', 'StrasseGEHEIM', 'Ab'.repeat(41), 'Strasse\n'],
  ])('could not be: %j', (name) => expect(isNameOfRegister(name)).toBe(false));
});

describe('slots', () => {
  it.each(REGISTER_KINDS.map((kind) => [kind]))(
    '%s: every element has one, renamed ones that of the present name',
    (kind) => {
      const slots = slotsOf(kind);
      const fields = fieldsOf(kind);
      for (const { field, now } of fields) {
        expect(slots.has(field), field).toBe(true);
        if (now !== '' && slots.has(now)) expect(slots.get(field), `${field} now ${now}`).toBe(slots.get(now));
      }
      const present = fields.filter(({ now }) => now === '').map(({ field }) => slots.get(field)!);
      expect(new Set(present).size).toBe(present.length);
      expect(Math.max(...slots.values())).toBe(new Set(slots.values()).size - 1);
    },
  );

  it('every present name of a renamed element is one of the same file', () => {
    const unknown = REGISTER_FIELDS.filter(
      ({ file, now }) => now !== '' && !fieldsOf(file).some(({ field }) => field === now),
    );
    expect(unknown.map(({ file, field }) => `${file}.${field}`)).toEqual([]);
  });

  it('the former element for the place of a solar unit is an alias of the present one', () => {
    const slots = slotsOf('EinheitenSolar');
    expect(slots.get('Lage')).toBe(slots.get('ArtDerSolaranlage'));
    expect(slotsOf('EinheitenWind').get('Lage')).toBe(slotsOf('EinheitenWind').get('WindAnLandOderAufSee'));
  });
});

describe('the staging plan', () => {
  const columnsOf = (name: string) => tableColumns(STAGED_TABLES.find((table) => table.name === name)!, CATALOGUES);

  it.each(Object.keys(STAGED_ALIASES))('has a column for every element that unit fields read from %s', (name) => {
    const columns = new Set(columnsOf(name).map((column) => column.name));
    const named = STORED_FIELDS.flatMap(({ source }) =>
      source.reads.filter(({ table }) => table === name).map((element) => element.name),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((element) => !columns.has(element))).toEqual([]);
  });

  it.each(STAGED_TABLES.flatMap((table) => table.kinds.map((kind) => [table.name, kind] as const)))(
    '%s takes %s with its key, every column under its own name and in its own slot',
    (name, kind) => {
      const plan = planFor(kind, CATALOGUES)!;
      expect(plan.table).toBe(name);
      expect(tableOf(kind)?.name).toBe(name);
      expect(plan.keySlot).toBe(slotsOf(kind).get(tableOf(kind)!.key!));
      expect(new Set(plan.columns.map((column) => column.name)).size).toBe(plan.columns.length);
      for (const column of plan.columns) expect(column.slot, column.name).toBe(slotsOf(kind).get(column.element) ?? -1);
      // Every file of a table has the same columns in the same order, also those of elements its kind does not have.
      const shape = (columns: readonly StagedColumn[]) => columns.map((column) => [column.name, column.kind.as]);
      expect(shape(plan.columns)).toEqual(shape(columnsOf(name)));
    },
  );

  it('includes each kind of file once, and no catalogue except Marktrollen, which was not always one', () => {
    const catalogues = CATALOGUE_KINDS.filter((kind) => kind !== 'Marktrollen');
    const kinds = [...STAGED_TABLES.flatMap((table) => table.kinds), ...catalogues];
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const kind of kinds) expect(REGISTER_KINDS).toContain(kind);
    expect(planFor('Katalogwerte', CATALOGUES)).toBeNull();
    expect(planFor('EinheitenGasErzeuger', CATALOGUES)).toBeNull();
  });

  it('checks the flags that mark a value as not available', () => {
    for (const kind of STAGED_TABLES.flatMap((table) => table.kinds)) {
      const fields = new Set(fieldsOf(kind).map(({ field }) => field));
      for (const { element, notAvailableSlot } of planFor(kind, CATALOGUES)!.columns) {
        const flagged = fields.has(`${element}_nv`) || fields.has(`${element}_Na`);
        expect(notAvailableSlot >= 0, `${kind}.${element}`).toBe(flagged);
      }
    }
  });
});

describe('names of members', () => {
  it.each([
    ['EinheitenSolar_12.xml', 'EinheitenSolar', 12],
    ['EinheitenWind.xml', 'EinheitenWind', null],
    ['EinheitenWind_1.XML', 'EinheitenWind', 1],
    ['Gesamtdatenexport_20260911_26.1/EinheitenWind.xml', 'EinheitenWind', null],
    ['export\\Netze.xml', 'Netze', null],
    [
      'EinheitenGeoSolarthermieGrubenKlaerschlammDruckentspannung.xml',
      'EinheitenGeothermieGrubengasDruckentspannung',
      null,
    ],
    [
      'AnlagenEegGeoSolarthermieGrubenKlaerschlammDruckentspannung_2.xml',
      'AnlagenEegGeothermieGrubengasDruckentspannung',
      2,
    ],
    ['EinheitenMond_3.xml', 'EinheitenMond', 3],
  ])('%s', (name, kind, part) => {
    expect(parseMemberName(name)).toEqual({ kind, part });
  });

  it.each([
    '',
    '.xml',
    'EinheitenWind',
    'EinheitenWind.xml.bak',
    'EinheitenWind_.xml',
    'EinheitenWind_1_2.xml',
    'EinheitenWind-1.xml',
    'liesmich.txt',
    'EinheitenWind_a.xml',
  ])('%s is not a member', (name) => {
    expect(parseMemberName(name)).toBeNull();
  });
});
