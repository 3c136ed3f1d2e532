import { readFileSync } from 'node:fs';

/** The repository, with a slash at its end. */
export const ROOT = new URL('../../', import.meta.url).pathname;

const { include } = JSON.parse(readFileSync(`${ROOT}tsconfig.json`, 'utf8')) as { include: readonly string[] };

/** The top-level folders of the repository, without those that commands create. */
export const TOP_LEVEL_FOLDERS: readonly string[] = ['docs', ...include.filter((path) => !path.includes('*'))];
