import { describe, expect, test } from 'vitest';
import { anyPlace, placeToLoad } from './place.ts';

describe('what --warehouse names', () => {
  test.each([
    ['var/warehouse', { kind: 'folder', folder: 'var/warehouse' }],
    ['duckdb:var/warehouse', { kind: 'folder', folder: 'var/warehouse' }],
    ['./chdb', { kind: 'folder', folder: './chdb' }],
    ['chdb', { kind: 'chdb' }],
    ['clickhouses://reader@host/energy', { kind: 'server', url: 'clickhouses://reader@host/energy' }],
  ])('%s', (text, place) => {
    expect(anyPlace(text)).toEqual(place);
  });

  test.each([
    ['http://host:8123/energy', /did you mean clickhouse:/],
    ['clickhouse://host', /names no prefix/],
    ['postgres://host/energy', /must be duckdb:<folder>, clickhouse:/],
  ])('%s is refused with what to do', (text, said) => {
    expect(() => anyPlace(text)).toThrow(said);
  });

  test('nothing is loaded into a folder', () => {
    expect(placeToLoad('chdb')).toEqual({ kind: 'chdb' });
    expect(() => placeToLoad('var/warehouse')).toThrow(/clickhouse\(s\):.*or into chdb/);
  });
});
