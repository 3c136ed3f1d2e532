import type { InEachEngine } from './digest.ts';

/** A member of a STRUCT as DuckDB describes it: whole numbers, texts, and decimals with their scale. */
const MEMBER = /^"?(\w+)"? (?:(?:VARCHAR|U?BIGINT|U?INTEGER)|DECIMAL\(\d+,(\d+)\))$/;

interface Separators {
  /** Codes of characters that occur in no value. */
  readonly items: number;
  readonly members: number;
  /** Stands for NULL. */
  readonly none: number;
}

/**
 * Returns a list of STRUCTs as a text that both engines make alike, every member of every item.
 * @param type of the column in DuckDB
 * @throws Error for a member of another type
 */
export function structListText(column: string, type: string, { items, members, none }: Separators): InEachEngine {
  const [, inside = ''] = /^STRUCT\((.*)\)\[\]$/.exec(type) ?? [];
  const texts = inside.split(', ').map((member): InEachEngine => {
    const [, name, scale] = MEMBER.exec(member) ?? [];
    if (name === undefined) throw new Error(`${column} has lists of ${member}, for which there is no comparison`);
    const value = `item.${name}`;
    // DuckDB writes all decimals of a type, ClickHouse none that is zero.
    const text = scale === undefined ? `toString(${value})` : `toDecimalString(${value}, ${scale})`;
    return {
      duckdb: `coalesce(${value}::VARCHAR, chr(${none}))`,
      clickhouse: `ifNull(${text}, char(${none}))`,
    };
  });
  const joined = (engine: keyof InEachEngine) => texts.map((text) => text[engine]).join(', ');
  return {
    duckdb: `array_to_string(list_transform(${column}, lambda item: concat_ws(chr(${members}), ${joined('duckdb')})), chr(${items}))`,
    clickhouse: `arrayStringConcat(arrayMap(item -> concatWithSeparator(char(${members}), ${joined('clickhouse')}), ${column}), char(${items}))`,
  };
}
