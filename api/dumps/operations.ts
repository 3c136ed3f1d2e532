import { downloadDump, showManifest } from './download.ts';
import { listDumps } from './list.ts';

/** Outside of /v1, so not in its description: docs/api-clients.md describes them. */
export const DUMP_OPERATIONS = [listDumps, downloadDump, showManifest];
