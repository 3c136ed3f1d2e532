import { CHOSEN_LANGUAGE, say } from '../format/language.ts';
import { type Parameters, pageNumber } from './address.ts';
import { nearest } from './nearest.ts';

/** A part of a link that its page cannot follow: it is told, since a page that leaves it out shows something else than was meant. */
export interface LinkFault {
  /** Name of the parameter. */
  readonly name: string;
  readonly value: string;
  /** Goes on after the part: „verlangt einen Tag wie 2026-11-01“. */
  readonly why: string;
}

/** Newsletters and networks append these to every link, and no page means anything by them. */
const APPENDED = /^(utm_\w+|\w+clid|mc_[ce]id)$/;

/** Lists the parts of a query that none of the parameters can be read from. */
export const faultsOf = (query: URLSearchParams, parameters: Parameters): readonly LinkFault[] => [
  ...[...new Set(query.keys())].flatMap((name) => {
    if (APPENDED.test(name)) return [];
    const values = query.getAll(name);
    if (name === CHOSEN_LANGUAGE)
      return [{ name, value: values.join(' '), why: say('verlangt de oder en', 'takes de or en') }];
    const why = faultOf(name, values, parameters);
    return why === null ? [] : [{ name, value: values.join(' '), why }];
  }),
  ...(Object.hasOwn(parameters, 'cursor') ? pageWithoutCursor(query) : []),
];

function faultOf(name: string, [value = '', ...more]: readonly string[], parameters: Parameters): string | null {
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) {
    const near = nearest(name, Object.keys(parameters));
    return say(
      `so heißt hier keine Angabe${near === null ? '' : `; gemeint ist vielleicht „${near}“`}`,
      `is no name of anything here${near === null ? '' : `; “${near}” may be meant`}`,
    );
  }
  if (more.length > 0) return say('steht mehrmals im Link', 'stands in the link more than once');
  return parameter.read(value) === undefined ? say(`verlangt ${parameter.takes}`, `takes ${parameter.takes}`) : null;
}

/** The interface leads forward by cursors alone: without one, the list would begin anew, and be called another page. */
function pageWithoutCursor(query: URLSearchParams): readonly LinkFault[] {
  const value = query.get('seite');
  if (query.has('cursor') || value === null || value === '1' || pageNumber.read(value) === undefined) return [];
  const why = say(
    'führt nur mit dem cursor dieser Seite weiter, wie ihn „Nächste“ in die Adresse schreibt; ohne beides beginnt die Liste',
    'leads on only with the cursor of that page, as “Next” writes it into the address; without both, the list begins',
  );
  return [{ name: 'seite', value, why }];
}
