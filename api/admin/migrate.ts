import { flag } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import { adminCommand } from './common/admin-command.ts';

export const migrateStore = adminCommand({
  name: 'migrate',
  summary: 'bring the tables of the store up to date',
  description: 'The service, and every other command, does so by itself; this is for those who want to see it happen.',
  examples: ['', '--dry-run'],
  parameters: { dryRun: flag('only say what would run') },
  storeState: 'unmigrated',
  async run(store, { dryRun = false }) {
    return { place: store.place, migrations: await store.migrate(dryRun ? 'plan' : 'apply'), dryRun };
  },
  format({ place, migrations, dryRun }) {
    if (migrations.length === 0) return `The tables of ${place} are up to date.`;
    const head = `${counted(migrations.length, 'migration')} ${dryRun ? 'would run' : 'ran'} in ${place}:`;
    return [head, ...migrations.map((name) => `  ${name}`)].join('\n');
  },
  logFields: ({ migrations, dryRun }) => (dryRun || migrations.length === 0 ? null : { migrations }),
});
