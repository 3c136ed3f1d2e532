import { describe, expect, it } from 'vitest';
import { Findings } from '../../../ingest/stage/findings.ts';
import type { Catalogues } from '../../../ingest/stage/labels.ts';
import { planFor } from '../../../ingest/stage/plan.ts';
import { type Staged, stage } from '../../support/staged.ts';
import { plainDocument, record } from '../../support/xml.ts';

/** A finding has a kind, an element, a text, a count and one place as an example. */

const CATALOGUES: Catalogues = {
  values: new Map([
    [35, 'In Betrieb'],
    [1403, 'Bayern'],
    [2497, 'Wind'],
    [2954, 'Geprüft'],
    [2955, 'In Prüfung'],
  ]),
  systemLists: new Map(),
};

const key = (number: number): string => `SEE${String(number).padStart(12, '0')}`;

function stageWind(records: readonly Readonly<Record<string, string>>[], select?: string): Promise<Staged> {
  return stage(
    planFor('EinheitenWind', CATALOGUES)!,
    plainDocument(records.map((fields) => record(fields))),
    select === undefined ? {} : { select },
  );
}

const unit = (number: number, fields: Readonly<Record<string, string>>) => ({
  EinheitMastrNummer: key(number),
  ...fields,
});

describe('values', () => {
  it.each([
    ['Bruttoleistung', 'drei', 'wert_unlesbar'],
    ['Bruttoleistung', '1,5', 'wert_unlesbar'],
    ['Inbetriebnahmedatum', '31.12.2020', 'wert_unlesbar'],
    ['Inbetriebnahmedatum', '2023-02-29', 'wert_unlesbar'],
    ['Inbetriebnahmedatum', '1879-12-31', 'tag_unplausibel'],
    ['Inbetriebnahmedatum', '2047-01-01', 'tag_unplausibel'],
    ['DatumLetzteAktualisierung', 'gestern', 'wert_unlesbar'],
    ['Bundesland', '99999', 'katalog_id_unbekannt'],
    ['Bundesland', 'Bayern', 'wert_unlesbar'],
  ])('%s %s: %s, and null', async (element, text, kind) => {
    const { rows, findings, staged } = await stageWind(
      [unit(1, { [element]: text }), unit(2, { [element]: ` ${text}\n` }), unit(3, {})],
      element,
    );
    expect(rows).toEqual([{ [element]: null }, { [element]: null }, { [element]: null }]);
    expect(findings).toEqual([{ kind, element, raw: text, note: null, example: key(1), record: 1, count: 2 }]);
    expect(staged).toBe(3);
  });

  it.each([
    ['Inbetriebnahmedatum', '1880-01-01'],
    ['Inbetriebnahmedatum', '2046-12-31'],
    ['Bruttoleistung', '-1.000'],
    ['Bundesland', '1403'],
  ])('%s %s is no finding', async (element, text) => {
    expect((await stageWind([unit(1, { [element]: text })])).findings).toEqual([]);
  });

  it('of two elements, or with two texts, are two findings', async () => {
    const { findings } = await stageWind([
      unit(1, { Bruttoleistung: 'x' }),
      unit(2, { Nettonennleistung: 'x' }),
      unit(3, { Bruttoleistung: 'y' }),
    ]);
    expect(findings.map(({ element, raw, example, count }) => [element, raw, example, count])).toEqual([
      ['Bruttoleistung', 'x', key(1), 1],
      ['Nettonennleistung', 'x', key(2), 1],
      ['Bruttoleistung', 'y', key(3), 1],
    ]);
  });

  it('in a former form are understood: the check of the grid operator as a flag', async () => {
    const { rows, findings } = await stageWind(
      ['0', '1', '2954', '2955'].map((text, row) => unit(row, { NetzbetreiberpruefungStatus: text })),
      'NetzbetreiberpruefungStatus AS status',
    );
    expect(rows.map(({ status }) => status)).toEqual(['In Prüfung', 'Geprüft', 'Geprüft', 'In Prüfung']);
    expect(findings).toEqual([]);
  });

  it('of a list item that no catalogue has: the others stay', async () => {
    const plan = planFor('EinheitenVerbrennung', CATALOGUES)!;
    const element = 'WeitereBrennstoffe';
    if (!plan.columns.some((column) => column.element === element)) throw new Error(`${element} is not staged`);
    const text = plainDocument([
      record(unit(1, { [element]: '2497, 4, 1403; x' })),
      record(unit(2, { [element]: '4' })),
    ]);
    const { rows, findings } = await stage(plan, text, { select: element });
    expect(rows).toEqual([{ [element]: 'Wind\u001fBayern' }, { [element]: null }]);
    expect(findings).toEqual([
      { kind: 'katalog_id_unbekannt', element, raw: '4', note: null, example: key(1), record: 1, count: 2 },
      { kind: 'katalog_id_unbekannt', element, raw: 'x', note: null, example: key(1), record: 1, count: 1 },
    ]);
  });
});

describe('a flag that marks a value as missing', () => {
  const flagged = planFor('EinheitenWind', CATALOGUES)!.columns.find((column) => column.notAvailableSlot >= 0)!;
  const flag = `${flagged.element}_nv`;

  it.each(['1', 'true', ' 1 '])('removes a value that is present: %s', async (said) => {
    const { rows, findings } = await stageWind([unit(1, { [flag]: said, [flagged.element]: 'X' })], flagged.name);
    expect(rows).toEqual([{ [flagged.name]: null }]);
    expect(findings).toEqual([
      {
        ...{ kind: 'wert_trotz_nv', element: flagged.element, raw: null, note: null },
        ...{ example: key(1), record: 1, count: 1 },
      },
    ]);
  });

  it.each(['0', 'false', ''])('keeps the value otherwise: %s', async (said) => {
    const { rows, findings } = await stageWind([unit(1, { [flag]: said, [flagged.element]: 'X' })], flagged.name);
    expect(rows).toEqual([{ [flagged.name]: 'X' }]);
    expect(findings).toEqual([]);
  });

  it('is no finding where there is no value', async () => {
    const { findings } = await stageWind([unit(1, { [flag]: '1' }), unit(2, { [flag]: '1', [flagged.element]: ' ' })]);
    expect(findings).toEqual([]);
  });
});

describe('records', () => {
  it('without a key, or with a malformed one, are refused and counted', async () => {
    const { read, refused, staged, rows, findings } = await stageWind(
      [
        unit(1, {}),
        { Bruttoleistung: '1' },
        { EinheitMastrNummer: 'SEE12' },
        { EinheitMastrNummer: '' },
        { EinheitMastrNummer: ' ' },
        { EinheitMastrNummer: 'see000000000002' },
        { Bruttoleistung: '2' },
        { EinheitMastrNummer: ` ${key(3)}\n` },
      ],
      '_zeile',
    );
    expect({ read, refused, staged }).toEqual({ read: 8, refused: 6, staged: 2 });
    expect(rows).toEqual([{ _zeile: 1 }, { _zeile: 8 }]);
    const nothing = { element: null, raw: null, example: null };
    const invalid = { kind: 'schluessel_ungueltig', ...nothing };
    expect(findings).toEqual([
      { kind: 'schluessel_fehlt', ...nothing, note: null, record: 2, count: 2 },
      { ...invalid, note: '5 characters: letters, digits', record: 3, count: 1 },
      { ...invalid, note: '0 characters', record: 4, count: 2 },
      { ...invalid, note: '15 characters: letters, digits', record: 6, count: 1 },
    ]);
  });

  it('whose key is a number are refused when it is none', async () => {
    const plan = planFor('Bilanzierungsgebiete', CATALOGUES)!;
    const text = plainDocument([
      record({ Id: '12', Yeic: 'Y' }),
      record({ Id: 'zwölf' }),
      record({ Id: '9999999999' }),
    ]);
    const { rows, refused } = await stage(plan, text, { select: 'Id' });
    expect(rows).toEqual([{ Id: 12 }]);
    expect(refused).toBe(2);
  });

  it('that are not well-formed are counted, with the number of the unit but no text', async () => {
    const damaged = `<EinheitWind><EinheitMastrNummer>${key(5)}</EinheitMastrNummer><Ort>Straße & Hof</Ort></EinheitWind>`;
    const text = plainDocument([record(unit(1, {})), damaged, record(unit(2, {}))]);
    const { read, refused, staged, findings } = await stage(planFor('EinheitenWind', CATALOGUES)!, text);
    expect({ read, refused, staged }).toEqual({ read: 3, refused: 1, staged: 2 });
    expect(findings).toEqual([
      {
        ...{ kind: 'datensatz_nicht_wohlgeformt', element: null, raw: null, note: 'a reference that is not known' },
        ...{ example: key(5), record: 2, count: 1 },
      },
    ]);
  });

  const unsaid = { raw: null, example: null };

  it('with unknown elements, forbidden characters and stray text are kept', async () => {
    const text = plainDocument([
      `<E><EinheitMastrNummer>${key(1)}</EinheitMastrNummer><Neu>5</Neu><Bruttoleistung>1\u0001&#2;.5</Bruttoleistung></E>`,
      'text',
      `<E><EinheitMastrNummer>${key(2)}</EinheitMastrNummer><Neu>5</Neu></E>`,
    ]);
    const { rows, findings } = await stage(planFor('EinheitenWind', CATALOGUES)!, text, {
      select: 'Bruttoleistung::VARCHAR AS b',
    });
    expect(rows).toEqual([{ b: '1.500' }, { b: null }]);
    expect(findings).toEqual([
      { kind: 'zeichen_verboten', element: 'Bruttoleistung', note: null, record: 1, count: 2, ...unsaid },
      { kind: 'element_unbekannt', element: 'Neu', note: '1 character: digits', record: 1, count: 2, ...unsaid },
      {
        ...{ kind: 'struktur_unerwartet', element: null, note: 'text outside of records: 4 characters: letters' },
        ...{ record: 2, count: 1, ...unsaid },
      },
    ]);
  });

  it('with unknown elements under foreign names are reported by the form of the name', async () => {
    const { findings } = await stageWind([
      {
        EinheitMastrNummer: key(1),
        'erika@example.org': 'x',
        'v:Strasse': 'Weg 1',
        GEHEIM: '',
        ['Ab'.repeat(41)]: 'y',
      },
    ]);
    expect(findings.map(({ element, raw, note }) => ({ element, raw, note }))).toEqual(
      [
        '1 character: letters; name of the element: 17 characters: letters, punctuation',
        '5 characters: letters, digits, blanks; name of the element: 9 characters: letters, punctuation',
        '0 characters; name of the element: 6 characters: letters',
        '1 character: letters; name of the element: 82 characters: letters',
      ].map((note) => ({ element: null, raw: null, note })),
    );
  });

  it('repeat the text of a value only where its element is not personal and no number', async () => {
    const { findings } = await stageWind([
      unit(1, {
        Laengengrad: 'Weg 1',
        AnlagenbetreiberMastrNummer: 'Erika Beispiel',
        EegMaStRNummer: 'EEG1',
        Bundesland: 'x',
      }),
    ]);
    expect(new Map(findings.map(({ element, raw, note }) => [element, raw ?? note]))).toEqual(
      new Map([
        ['Laengengrad', '5 characters: letters, digits, blanks'],
        ['AnlagenbetreiberMastrNummer', '14 characters: letters, blanks'],
        ['EegMaStRNummer', '4 characters: letters, digits'],
        ['Bundesland', 'x'],
      ]),
    );
  });

  it('are reported with a valid key, never with part of a text', async () => {
    const iban = 'IBAN MT84MALT011000012345';
    const damaged = (text: string) => `<EinheitWind><Ort>${text}</Ort><Weic>a & b</Weic></EinheitWind>`;
    const text = plainDocument([damaged(iban), damaged(key(3))]);
    const { findings } = await stage(planFor('EinheitenWind', CATALOGUES)!, text);
    expect(findings).toMatchObject([{ example: null, record: 1, count: 2 }]);
    const roles = plainDocument([
      record({ MastrNummer: 'Erika Beispiel', MarktakteurMastrNummer: 'x' }, 'M'),
      record({ MastrNummer: 'ABR900000000001AN', MarktakteurMastrNummer: 'y y' }, 'M'),
    ]);
    const actors = await stage(planFor('MarktakteureUndRollen', CATALOGUES)!, roles);
    expect(actors.findings.map(({ raw, note, example, record: number }) => [raw, note, example, number])).toEqual([
      [null, '1 character: letters', null, 1],
      [null, '3 characters: letters, blanks', 'ABR900000000001AN', 2],
    ]);
  });
});

describe('data that no table shows', () => {
  it('is not staged either: coordinates below 30 kW and of unknown capacity', async () => {
    const at = (number: number, kw: string | null) =>
      unit(number, { Laengengrad: '10.5', Breitengrad: '51.5', ...(kw === null ? {} : { Bruttoleistung: kw }) });
    const { rows } = await stageWind(
      [at(1, null), at(2, '29.999'), at(3, '30'), at(4, 'viel'), at(5, '3000.5')],
      'Laengengrad::VARCHAR AS l, Breitengrad::VARCHAR AS b',
    );
    const [none, some] = [
      { l: null, b: null },
      { l: '10.500000', b: '51.500000' },
    ];
    expect(rows).toEqual([none, none, some, none, some]);
  });

  it('is not staged either: names and places of actors that are not organisations', async () => {
    const actor = (number: number, kind: Record<string, string>) =>
      record({
        MastrNummer: `ABR${String(number).padStart(12, '0')}`,
        Firmenname: 'F',
        Postleitzahl: 'P',
        Ort: 'O',
        ...kind,
      });
    const { rows } = await stage(
      planFor('Marktakteure', CATALOGUES)!,
      plainDocument([actor(1, { Personenart: '517' }), actor(2, { Personenart: '518' }), actor(3, {})]),
      { select: 'Firmenname, Postleitzahl, Ort' },
    );
    const organisation = { Firmenname: null, Postleitzahl: null, Ort: null };
    expect(rows).toEqual([{ Firmenname: 'F', Postleitzahl: 'P', Ort: 'O' }, organisation, organisation]);
  });
});

describe('texts of findings', () => {
  const place = () => ({ example: 'k', record: 7 });

  it('are 200 characters at most', () => {
    const findings = new Findings();
    findings.add('wert_unlesbar', 'A', { raw: 'x'.repeat(300) }, place);
    findings.add('wert_unlesbar', 'A', { raw: 'x'.repeat(250) }, place);
    expect(findings.list()).toEqual([
      { kind: 'wert_unlesbar', element: 'A', raw: 'x'.repeat(200), note: null, example: 'k', record: 7, count: 2 },
    ]);
  });

  it.each(['raw', 'note'])('are limited to 100 for each element; the others are counted together: %s', (said) => {
    const findings = new Findings();
    for (let text = 0; text < 250; text++) findings.add('wert_unlesbar', 'A', { [said]: `${text}` }, place);
    for (let text = 0; text < 250; text++) findings.add('wert_unlesbar', 'A', { [said]: `${text}` }, place);
    findings.add('wert_unlesbar', 'B', { [said]: '200' }, place);
    const list = findings.list();
    const silent = list.filter(({ raw, note }) => raw === null && note === null);
    expect(list).toHaveLength(102);
    expect(silent).toMatchObject([{ element: 'A', count: 300 }]);
    expect(
      list
        .filter((finding) => !silent.includes(finding))
        .every(({ element, count }) => count === (element === 'A' ? 2 : 1)),
    ).toBe(true);
  });

  it('the text null is not a missing value, and no note', () => {
    const findings = new Findings();
    findings.add('wert_unlesbar', 'A', { raw: 'null' }, place);
    findings.add('wert_unlesbar', 'A', { note: 'null' }, place);
    findings.add('wert_unlesbar', 'A', {}, place);
    expect(findings.list().map(({ raw, note }) => [raw, note])).toEqual([
      ['null', null],
      [null, 'null'],
      [null, null],
    ]);
  });
});
