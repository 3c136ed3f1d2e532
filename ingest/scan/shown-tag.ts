import { isNameOfRegister } from '../../sql/register/fields.ts';
import { formOf } from './form.ts';

/** Root elements of documents that arrive instead of an export: the error page of a server or a proxy. */
const OTHER_DOCUMENTS = new Set(['html', 'HTML', 'error', 'Error']);

/** A tag as messages show it. A name that the register does not use may be part of a text, so only its form is shown. */
export function shownTag(name: string): string {
  const [, prefix = '', local = name] = /^([^:]+:)(.*)$/s.exec(name) ?? [];
  if (!isNameOfRegister(local) && !OTHER_DOCUMENTS.has(local)) return `a tag with a name of ${formOf(name)}`;
  return prefix === '' ? `<${local}>` : `<…:${local}>`;
}
