import { command, flag } from './command.ts';
import { counted } from './table.ts';

export const migrateStore = command({
  name: 'migrate',
  summary: 'bring the tables of the store up to date',
  description: 'The service, and every other command, does so by itself; this is for those who want to see it happen.',
  examples: ['', '--dry-run'],
  words: { dryRun: flag('only say what would run') },
  tables: 'as they are',
  async run(store, { dryRun = false }) {
    return { place: store.place, migrations: await store.migrate(dryRun ? 'plan' : 'apply'), dryRun };
  },
  tell({ place, migrations, dryRun }) {
    if (migrations.length === 0) return `The tables of ${place} are up to date.`;
    const head = `${counted(migrations.length, 'migration')} ${dryRun ? 'would run' : 'ran'} in ${place}:`;
    return [head, ...migrations.map((name) => `  ${name}`)].join('\n');
  },
  record: ({ migrations, dryRun }) => (dryRun || migrations.length === 0 ? null : { migrations }),
});
