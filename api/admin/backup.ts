import { flag, path } from '../../runtime/command-line/parameter.ts';
import { counted } from '../../runtime/counted.ts';
import type { TableDigests } from '../../sql/org/backup-file.ts';
import { openKeyring } from '../secrets/encryption-keys.ts';
import { encryptedBy, type MissingKey, missingKeys } from '../secrets/missing-keys.ts';
import { adminCommand } from './common/admin-command.ts';
import { moment, table } from './common/text-table.ts';

/** The whole store in a file, and back. */

const rowsOf = (tables: TableDigests): string =>
  table(
    ['table', 'rows'],
    Object.entries(tables).map(([name, { rows }]) => [name, rows]),
  );

const allRows = (tables: TableDigests): number => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

export const backupStore = adminCommand({
  name: 'backup',
  summary: 'write everything in the store into a new file, while the service runs',
  description:
    'Organisations, users, keys, portfolios, usage and the audit log, as they are at one moment. The file is read back ' +
    'and compared before it gets its name; only you can read it. Keep it as safe as the store: it holds the hashes of keys.\n' +
    'E-mail addresses, telephone numbers and secrets of webhooks are encrypted in it: keep their key ' +
    '(STATE_DIR/encryption-key), and not in the same place.',
  examples: ['/backup/organisations-2026-11-22.gz'],
  parameters: { file: path('the new file') },
  storeState: 'unmigrated',
  run: (store, { file }) => store.backup(file),
  format: ({ file, tables }) =>
    `${rowsOf(tables)}\n\nWrote ${counted(allRows(tables), 'row')} to ${file} and read them back; only you can read it.`,
  logFields: ({ file, tables }) => ({ file, rows: allRows(tables) }),
});

export const restoreStore = adminCommand({
  name: 'restore',
  summary: 'make the store what it was when a backup was written',
  description:
    'All of it or nothing: a file that is damaged, or of a newer release, changes nothing. The store must have no ' +
    'organisation; with --replace everything in it goes. Backups of the embedded store and of a server are alike.',
  examples: ['/backup/organisations-2026-11-22.gz', '/backup/organisations-2026-11-22.gz --replace'],
  parameters: { file: path('the backup'), replace: flag('although the store has organisations: they are replaced') },
  storeState: 'new',
  async run(store, { file, replace = false }, { settings }) {
    const restored = await store.restore(file, replace);
    const keys = openKeyring(settings).keys();
    return { ...restored, missingKeys: await store.asOperator((session) => missingKeys(session, keys)) };
  },
  format: ({ file, createdAt, tables }) =>
    `${rowsOf(tables)}\n\nThe store is what it was on ${moment(createdAt)}: ${counted(allRows(tables), 'row')} of ${file}, read back.`,
  note: ({ missingKeys }) => missingKeys.map(missingKeyNote).join('\n'),
  logFields: ({ file, createdAt, tables }) => ({ file, createdAt, rows: allRows(tables) }),
});

const missingKeyNote = (missing: MissingKey): string =>
  `${encryptedBy(missing)} cannot be read: the key ${missing.keyId} is not here. Bring it back, in ` +
  'STATE_DIR/encryption-key or ENCRYPTION_KEYS';
