import { Command, InvalidArgumentError, Option } from 'commander';
import { ServerFailed } from '../../ingest/load/retry-request.ts';
import { SettingsError } from '../../runtime/settings.ts';
import { benchAlerts } from './alerts.ts';
import { benchApi } from './api.ts';
import { benchCompare } from './compare.ts';
import { benchIngest } from './ingest.ts';
import { benchNight } from './night.ts';
import { benchOrg, ENGINES } from './org.ts';
import { benchPages } from './pages.ts';
import { benchQueries, ROWS } from './queries.ts';
import { benchSizes } from './sizes.ts';
import { anyPlace, NotMeasurable, placeToLoad } from './support/place.ts';
import { benchTenders } from './tenders.ts';
import { benchWebhooks } from './webhooks.ts';

/** Measurements: npm run bench -- <what>. Speed is told as ratios between things measured in the same run. */

const SERVER = 'clickhouse(s)://user:password@host:8123/prefix';
const CHDB = 'chdb: the engine of ClickHouse from the package of that name, where there is no server';

const program = new Command('npm run bench --').description('Measures the project on this machine.');

program
  .command('ingest')
  .description(
    'a whole build against merely inflating the same archive: seconds, CPU-seconds and memory of all processes; the aim is ' +
      '1.3 times what `unzip -p` takes, and 1.5 GB',
  )
  .option('--units <count>', 'size of the generated register', wholeNumber, 1_000_000)
  .addOption(
    new Option('--nightly [nights]', 'then also the next day on the version of the first, or several, one on the other')
      .argParser(wholeNumber)
      .preset('1'),
  )
  .option('--export <file>', 'measure this export instead of a generated one')
  .option('--next <files...>', 'exports of later days than --export, in their order, for --nightly')
  .option(
    '--warehouse <place>',
    `build straight on a server: ${SERVER}, or ${CHDB}; the aim is 2.0 times, and 2 GB`,
    placeToLoad,
  )
  .option(
    '--load',
    'with --warehouse: build files, and load the last version into the server, as a warehouse moves there',
  )
  .option('--json', 'the result as JSON')
  .option('--markdown', 'the result as tables of Markdown')
  .option('--cache <folder>', 'where generated exports are kept', '.bench')
  .action(benchIngest);

program
  .command('night')
  .description(
    'a night on the version of the day before, the build of the same day from nothing, and `unzip -p`: seconds, CPU-seconds and ' +
      'memory; the aim for a whole register is 200 CPU-seconds, 0.6 times what `unzip -p` takes, and 1.5 GB',
  )
  .option('--units <count>', 'size of the generated register', wholeNumber, 1_000_000)
  .option('--changes <count>', 'units that come, change or leave; by default 20,000 of 9.5 million', wholeNumber)
  .option('--nights <count>', 'so many, one on the other, and questions after the first and the last', wholeNumber)
  .option('--requests <count>', 'with --nights: requests of each question', wholeNumber, 100)
  .option(
    '--warehouse <place>',
    `versions are built on a server: ${SERVER}, or ${CHDB}; its processor time counts`,
    placeToLoad,
  )
  .option('--json', 'the result as JSON')
  .option('--markdown', 'the result as tables of Markdown')
  .option('--cache <folder>', 'where generated exports are kept', '.bench')
  .action(benchNight);

program
  .command('api')
  .description('what the chain around the operations costs a request')
  .option('--seconds <count>', 'length of each of the five rounds', wholeNumber, 2)
  .option('--postgres <url>', 'an empty database to measure with beside the embedded store')
  .option('--cache <folder>', 'where the sample dataset is kept', '.bench')
  .action(benchApi);

program
  .command('org')
  .description(
    'pages and single reads of an organisation with very much of its own, on PGlite and on a Postgres server: median and ' +
      '90th percentile of the answers over HTTP, one at a time, processor time of the service, and sizes; the aim is a ' +
      'median of 20 ms for every kind of page',
  )
  .option('--contacts <count>', 'contacts of the organisation', wholeNumber, 100_000)
  .option('--values <count>', 'values of custom fields, twenty for a unit', wholeNumber, 1_000_000)
  .option('--threads <count>', 'threads on forty connections', wholeNumber, 10_000)
  .option('--messages <count>', 'messages of all threads', wholeNumber, 200_000)
  .option('--requests <count>', 'requests of each kind', wholeNumber, 200)
  .option('--engines <names>', `some of ${ENGINES.join(', ')}; comma-separated`, engineNames, [...ENGINES])
  .option('--cache <folder>', 'where the sample dataset is kept', '.bench')
  .addHelpText(
    'after',
    '\nA small one: npm run bench -- org --contacts 1000 --values 10000 --threads 100 --messages 2000',
  )
  .action(benchOrg);

program
  .command('alerts')
  .description(
    'what alerts make of a night: changed units, and which of many alerts they meet, over DuckDB and ClickHouse; the aim is a ' +
      'minute and 300 MB for 1,000 alerts and 20,000 changed units in a whole register',
  )
  .option('--units <count>', 'units of the register', wholeNumber, 9_500_000)
  .option('--built <count>', 'units that are generated and built; the others repeat them', wholeNumber, 200_000)
  .option('--changed <count>', 'units that are new or have another signal', wholeNumber, 20_000)
  .option('--alerts <count>', 'alerts of forty organisations', wholeNumber, 1_000)
  .option('--without-clickhouse', 'DuckDB alone')
  .option('--cache <folder>', 'where registers and versions are kept', '.bench')
  .action(benchAlerts);

program
  .command('tenders')
  .description('loading award lists, and what they add to a build')
  .option('--units <count>', 'size of the generated register', wholeNumber, 200_000)
  .option('--rounds <count>', 'rounds that have a list', wholeNumber, 134)
  .option('--awards <count>', 'awards of all of them', wholeNumber, 30_000)
  .option('--cache <folder>', 'where generated exports are kept', '.bench')
  .action(benchTenders);

program
  .command('queries')
  .description('the questions of the interface over a big register, and ClickHouse or PostgreSQL beside them')
  .option('--units <count>', 'size of the generated register', wholeNumber, 9_500_000)
  .option('--requests <count>', 'requests of each question', wholeNumber, 200)
  .option(
    '--warehouse <place>',
    `a folder: measure the version that it serves instead of a generated one; ${SERVER}: the one that this server serves, from both; ${CHDB}`,
    anyPlace,
  )
  .option(
    '--folder <folder>',
    'where the version of the server lies as a file (STATE_DIR/warehouse); for chdb, a folder instead of a generated version',
  )
  .option('--without-postgres', 'without PostgreSQL')
  .option('--only <rows>', `some of ${ROWS.join(', ')}; comma-separated`, questionIds)
  .option('--json', 'the result as JSON')
  .option('--markdown', 'the result as tables of Markdown')
  .option('--cache <folder>', 'where registers, versions and the rows of PostgreSQL are kept', '.bench')
  .action(benchQueries);

program
  .command('sizes')
  .description(
    'how pages and counts of ClickHouse grow with the register, on one server and on two shards of this machine',
  )
  .option('--millions <counts>', 'sizes in millions of units, comma-separated', wholeNumbers, [1, 4, 10])
  .option('--repetitions <count>', 'how often each question is asked', wholeNumber, 100)
  .action(benchSizes);

program
  .command('compare')
  .description(
    'this version of the code against another commit, in turns on the same registers: the whole build, the build of the ' +
      'next night, and the questions; what has become worse is marked',
  )
  .option('--against <commit>', 'the other one, as git names it', 'HEAD^')
  .option('--units <count>', 'size of the generated register', wholeNumber, 200_000)
  .option('--rounds <count>', 'runs of each', wholeNumber, 3)
  .option('--seconds <count>', 'begin no further round that would end later; one is always measured', wholeNumber)
  .option('--json', 'the result as JSON, with the value of each run')
  .option('--markdown', 'the result as a table of Markdown')
  .option('--cache <folder>', 'where registers and the code of the other commit are kept', '.bench')
  .action(benchCompare);

program
  .command('pages')
  .description(
    'the pages under /app in Chromium, over the sample: requests and bytes of a first visit, and drawing once the answer is ' +
      'there; the aim is a second for 400 districts, 200 ms for 100 rows, 150 kB of script for the first page, and 400 ms of ' +
      'the service for a region of a whole register',
  )
  .option('--rounds <count>', 'how often each is drawn', wholeNumber, 7)
  .option('--warehouse <folder>', 'folder of a warehouse to show instead of the sample')
  .option('--cache <folder>', 'where the sample dataset is kept', '.bench')
  .action(benchPages);

program
  .command('webhooks')
  .description(
    'a soak of deliveries: many events to 20 endpoints, of which some fail, hang, trickle, redirect, close or lie about ' +
      'lengths; when messages arrive, memory and processor time of the service, and what /v1/me takes meanwhile',
  )
  .option('--events <count>', 'events of all organisations', wholeNumber, 10_000)
  .option('--per-second <count>', 'how fast they are stored', wholeNumber, 40)
  .option(
    '--organisations <count>',
    'organisations that share the endpoints; an event goes to all of its own',
    wholeNumber,
    10,
  )
  .option('--crowd <count>', 'further organisations, each with 20 endpoints that hang', wholeNumber, 0)
  .option('--engines <names>', `some of ${ENGINES.join(', ')}; comma-separated`, engineNames, [...ENGINES])
  .option('--cache <folder>', 'where the sample dataset is kept', '.bench')
  .action(benchWebhooks);

try {
  await program.parseAsync();
} catch (error) {
  // An unexpected error is printed with its stack.
  if (!(error instanceof NotMeasurable || error instanceof ServerFailed || error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new InvalidArgumentError('a whole number above 0 is needed');
  return Number(text);
}

function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

function questionIds(text: string): string[] {
  const ids = text.split(',');
  const unknown = ids.find((id) => !ROWS.includes(id));
  if (unknown !== undefined) throw new InvalidArgumentError(`there is no question ${unknown}`);
  return ids;
}

function engineNames(text: string): string[] {
  const names = text.split(',');
  const unknown = names.find((name) => !ENGINES.some((engine) => engine === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`there is no engine ${unknown}`);
  return names;
}
