import type { Operation } from '../operation/operation.ts';
import { nearest } from '../wire/nearest.ts';

/** Finds the path that a caller who missed every operation probably meant. */

const segmentsOf = (path: string): readonly string[] => path.split('/');

/** The template with the caller's own segments where it has parameters, with the ending that belongs there. */
const filled = (template: string, segments: readonly string[]): string =>
  segmentsOf(template)
    .map((part, index) => {
      const ending = /^\{\w+\}(.*)$/.exec(part)?.[1];
      const segment = segments[index];
      if (ending === undefined || segment === undefined) return part;
      const value = ending === '' ? segment : segment.replace(/\.[^.]*$/, '');
      return value === '' ? part : `${value}${ending}`;
    })
    .join('/');

const matches = (template: string, path: string): boolean =>
  segmentsOf(template).length === segmentsOf(path).length && filled(template, segmentsOf(path)) === path;

/** The path without slashes at its end; null when it has none there, or is nothing else. */
export const withoutTrailingSlashes = (path: string): string | null => /^(\/.*?[^/])\/+$/.exec(path)?.[1] ?? null;

/** Returns true when there is a page for people at the path. */
export const isPage = (path: string, operations: readonly Operation[]): boolean =>
  operations.some(
    ({ path: template, media, otherMedia = {} }) =>
      [media, ...Object.keys(otherMedia)].includes('text/html') && matches(template, path),
  );

/** With its own parameter in it, a template of another resource would seem near to any path. */
const isNearInEachPart = (template: readonly string[], segments: readonly string[]): boolean =>
  template.every((part, at) => part.startsWith('{') || nearest(segments[at] ?? '', [part]) !== null);

/** The path of an operation that is nearest: without slashes at its end, below /v1, or with fewer mistakes; null for none. */
export function nearestPath(path: string, operations: readonly Operation[]): string | null {
  const plain = withoutTrailingSlashes(path) ?? path;
  const templates = [...new Set(operations.map((operation) => operation.path))];
  const exact = [plain, `/v1${plain}`].find((candidate) => templates.some((template) => matches(template, candidate)));
  const segments = segmentsOf(plain);
  const paths = templates
    .filter((template) => !template.includes('{') || isNearInEachPart(segmentsOf(template), segments))
    .map((template) => filled(template, segments))
    .filter((one) => !one.includes('{'));
  // A caller of the interface does not mean a page whose parameters take any path.
  const beside = paths.filter((one) => segmentsOf(one)[1] === segments[1]);
  return exact ?? nearest(plain, beside.length > 0 ? beside : paths);
}
