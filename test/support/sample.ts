import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The committed sample export: the one zip in its folder. */

const FOLDER = new URL('../../data/sample/', import.meta.url);
const [name, ...more] = readdirSync(FOLDER).filter((file) => file.endsWith('.zip'));
if (name === undefined || more.length > 0) throw new Error('data/sample must hold exactly one zip');

export const SAMPLE = fileURLToPath(new URL(name, FOLDER));

/** YYYY-MM-DD */
export const EXPORT_DAY = name.replace(/^.*_(\d{4})(\d{2})(\d{2})_.*$/, '$1-$2-$3');
