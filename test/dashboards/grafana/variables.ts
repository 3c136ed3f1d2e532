/** Queries as Grafana and its plugin for ClickHouse send them, with variables and macros filled in. */

/** Every job and operation, and a range of an hour. */
const IN_PROMETHEUS: Readonly<Record<string, string>> = {
  $__rate_interval: '1m',
  $__interval: '1m',
  $__range: '1h',
  $job: '.+',
  $operation: '.+',
};

/** An expression as it reaches Prometheus. @throws Error for a variable that is not known */
export const inPrometheus = (expression: string): string =>
  expression.replaceAll(/\$\w+/g, (name) => {
    const value = IN_PROMETHEUS[name];
    if (value === undefined) throw new Error(`${expression}: nothing fills ${name}`);
    return value;
  });

/** The choices of a viewer. */
export interface Chosen {
  /** By variable; `all` where the viewer has left it at "All". */
  readonly values: Readonly<Record<string, string | readonly string[] | 'all'>>;
  /** The range of the board. */
  readonly from: Date;
  readonly to: Date;
}

/** A statement as it reaches ClickHouse. @throws Error for what neither Grafana nor the plugin fills in */
export function inClickHouse(statement: string, { values, from, to }: Chosen): string {
  const moment = (time: Date) => `toDateTime(${Math.floor(time.getTime() / 1000)})`;
  const filled = withoutAll(statement, values)
    .replaceAll(/\$\{(\w+):singlequote\}/g, (_, name) =>
      [chosenFor(name, values)]
        .flat()
        .map((value) => `'${value.replaceAll("'", "\\'")}'`)
        .join(','),
    )
    .replaceAll(/\$\{(\w+)\}/g, (_, name) => [chosenFor(name, values)].flat().join(','))
    // The plugin finds the end of an argument at the first parenthesis, or at a second one that follows it at once.
    .replaceAll(
      /\$__timeFilter\((\w+)\)/g,
      (_, column) => `${column} >= ${moment(from)} AND ${column} <= ${moment(to)}`,
    );
  const [left] = /\$.*/.exec(filled) ?? [];
  if (left !== undefined) throw new Error(`Nothing fills ${left}`);
  return filled;
}

function chosenFor(name: string, values: Chosen['values']): string | readonly string[] {
  const value = values[name];
  if (value === undefined) throw new Error(`Nothing fills ${name}`);
  return value;
}

/** `$__conditionalAll(condition, $name)` is the condition, or nothing when all values of that variable are chosen. */
function withoutAll(statement: string, values: Chosen['values']): string {
  const at = statement.indexOf(CONDITIONAL);
  if (at < 0) return statement;
  const begin = at + CONDITIONAL.length;
  let depth = 1;
  let end = begin;
  for (; depth > 0; end++) {
    if (end >= statement.length) throw new Error(`${statement.slice(at)} has no end`);
    if (statement[end] === '(') depth++;
    if (statement[end] === ')') depth--;
  }
  const [, condition, name] = /^(.*), \$(\w+)$/s.exec(statement.slice(begin, end - 1)) ?? [];
  if (condition === undefined || name === undefined) throw new Error(`${statement.slice(at, end)} names no variable`);
  const kept = values[name] === 'all' ? '1=1' : condition;
  return statement.slice(0, at) + kept + withoutAll(statement.slice(end), values);
}

const CONDITIONAL = '$__conditionalAll(';
