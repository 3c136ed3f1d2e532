import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const ROOM = new URL('../../dashboards/web/', import.meta.url);

/**
 * Computes something as the pages of an English document do, in a process of its own: their language holds as long as the document.
 * @param path of a module below dashboards/web
 * @param script a function of the module, whose result is JSON
 */
// biome-ignore lint/suspicious/noExplicitAny: what the script gives is what the test proves
export async function inEnglish(path: string, script: string): Promise<any> {
  const code = `globalThis.document = { documentElement: { lang: 'en' } };
    const module = await import(${JSON.stringify(new URL(path, ROOM).href)});
    console.log(JSON.stringify((${script})(module)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  return JSON.parse(stdout);
}
