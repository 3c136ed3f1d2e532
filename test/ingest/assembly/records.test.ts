import { expect, it } from 'vitest';
import { RECORDS, recordsOf } from '../../../ingest/assembly/records.ts';

const others = (name: string): string => /hash\(\*COLUMNS\(\[([^\]]*)\]\)\) AS wirkung/.exec(sqlOf(name))?.[1] ?? '';
const sqlOf = (name: string): string => recordsOf(RECORDS.find(({ table }) => table === name)!);

it('other units depend on the columns that statements over several units name', () => {
  expect(others('eeg')).toBe(`'_art', 'EegMaStRNummer', 'EegInbetriebnahmedatum', 'InstallierteLeistung'`);
  const columns = others('einheit').split(', ');
  for (const name of ['_art', 'Gemarkung', 'Bruttoleistung', 'EinheitSystemstatus_id', 'Buergerenergie', 'Breitengrad'])
    expect(columns).toContain(`'${name}'`);
  for (const name of ['NameStromerzeugungseinheit', 'DatumLetzteAktualisierung', 'Hersteller'])
    expect(columns).not.toContain(`'${name}'`);
  expect(sqlOf('akteur')).toContain('NULL::UBIGINT AS wirkung');
});
