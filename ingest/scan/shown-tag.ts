import { isNameOfRegister } from '../../sql/register/fields.ts';
import { formOf } from './form.ts';

/** Roots of what arrives in place of an export: the page of a server that refuses, or of a proxy. */
const OTHER_DOCUMENTS = new Set(['html', 'HTML', 'error', 'Error']);

/** A tag as messages show it. A name that the register could not give may be a piece of a text, and only its form is told. */
export function shownTag(name: string): string {
  const [, prefix = '', local = name] = /^([^:]+:)(.*)$/s.exec(name) ?? [];
  if (!isNameOfRegister(local) && !OTHER_DOCUMENTS.has(local)) return `a tag with a name of ${formOf(name)}`;
  return prefix === '' ? `<${local}>` : `<…:${local}>`;
}
