/** A piece of HTML, which `html` does not escape again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A template takes pieces as they are, texts and numbers escaped, nothing for null, and lists of these. */
export type Content = Html | string | number | null | readonly Content[];

/** The tag of templates that are HTML: every value in them is escaped unless it is HTML itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Html =>
  new Html(parts.map((part, index) => part + (index < values.length ? rendered(values[index] ?? null) : '')).join(''));

function rendered(value: Content): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(rendered).join('');
  return escaped(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, between tags and in quoted attributes alike. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
