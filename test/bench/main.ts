import { Command, InvalidArgumentError } from 'commander';
import { benchApi } from './api.ts';
import { benchIngest } from './ingest.ts';
import { benchQueries } from './queries/bench.ts';
import { QUESTIONS } from './queries/questions.ts';

/** Measurements: npm run bench -- <what>. Speed is told as ratios between things measured in the same run. */

const program = new Command('npm run bench --').description('Measures the project on this machine.');

program
  .command('ingest')
  .description('a whole build against merely inflating the same archive')
  .option('--units <count>', 'size of the generated register', wholeNumber, 1_000_000)
  .option('--export <file>', 'measure this export instead of a generated one')
  .option('--cache <folder>', 'where generated exports are kept', '.bench')
  .action(benchIngest);

program
  .command('api')
  .description('what the chain around the operations costs a request')
  .option('--seconds <count>', 'length of each of the five rounds', wholeNumber, 2)
  .option('--postgres <url>', 'an empty database to measure with beside the embedded store')
  .option('--cache <folder>', 'where the sample dataset is kept', '.bench')
  .action(benchApi);

program
  .command('queries')
  .description('the questions of the interface over a big register, and PostgreSQL beside them')
  .option('--units <count>', 'size of the generated register', wholeNumber, 9_500_000)
  .option('--requests <count>', 'requests of each question', wholeNumber, 200)
  .option('--warehouse <folder>', 'measure the version that this folder serves instead of a generated one')
  .option('--without-postgres', 'the service alone')
  .option('--only <rows>', `some of ${QUESTIONS.map(({ id }) => id).join(', ')}; comma-separated`, questionIds)
  .option('--json', 'the result as JSON')
  .option('--cache <folder>', 'where registers, versions and the rows of PostgreSQL are kept', '.bench')
  .action(benchQueries);

await program.parseAsync();

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new InvalidArgumentError('a whole number above 0 is needed');
  return Number(text);
}

function questionIds(text: string): string[] {
  const ids = text.split(',');
  const unknown = ids.find((id) => !QUESTIONS.some((question) => question.id === id));
  if (unknown !== undefined) throw new InvalidArgumentError(`there is no question ${unknown}`);
  return ids;
}
