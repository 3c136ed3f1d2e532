import type { ComponentChildren } from 'preact';
import { carrierColor, carrierName } from '../charts/carriers.ts';
import { day, time } from '../format/dates.ts';
import { say } from '../format/language.ts';
import { decimal, NOTHING } from '../format/numbers.ts';
import { registerWord } from '../format/register-words.ts';
import type { Cell } from '../frame/table.ts';
import type { CatalogField, FieldValue } from '../v1/unit-answers.ts';
import { type SignalTexts, signalName } from './signals.ts';

/** Values of fields are written here, for eyes and for files. Texts of the register are foreign: they stay texts. */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T.*Z$/;

/** Codes of the interface as people write them; files keep the codes. */
const CODES: Readonly<Record<string, string>> = {
  geschaetzt: say('geschätzt', 'estimated'),
  nicht_ableitbar: say('nicht ableitbar', 'cannot be derived'),
  ka: say('keine Angabe', 'not stated'),
};

/** A value of a closed list as people write it. */
export const codeName = (value: string): string => CODES[value] ?? registerWord(value);

/** Numbers of units, as other fields name them. */
const UNIT_NUMBER = /^SEE\d{12}$/;

export const isNumeric = ({ typ }: CatalogField): boolean => typ === 'number' || typ === 'integer';

/** Longer texts are cut where they are drawn; files have them whole. */
const LONG = 300;

/** Degrees and ratios have six decimals, all others three. */
export const digitsOf = ({ einheit }: CatalogField): number => (einheit === null || einheit === '°' ? 6 : 3);

export const isDay = (value: FieldValue | undefined): value is string => typeof value === 'string' && DAY.test(value);

/** A value for a file, with every digit; days as German spreadsheets read them. */
export function cellOf(field: CatalogField, value: FieldValue | undefined, signals: SignalTexts): Cell {
  if (value === null || value === undefined || typeof value === 'number') return value ?? null;
  return textOf(field, value, signals);
}

/** A value as one text. */
export function textOf(field: CatalogField, value: FieldValue | undefined, signals: SignalTexts): string {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === 'number') return decimal(value, digitsOf(field));
  if (typeof value === 'boolean') return value ? say('ja', 'yes') : say('nein', 'no');
  if (typeof value === 'string') return wordOf(field, value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value
    .map((item) => {
      if (typeof item === 'object' && item !== null) return objectText(item);
      if (typeof item !== 'string') return JSON.stringify(item);
      return field.name === 'signals' ? signalName(item, signals) : carrierName(item);
    })
    .join(', ');
}

/** An anomaly as its note, a proposal as its value and reason; of anything else the JSON. */
function objectText(item: object): string {
  const { hinweis, note, feld, wert, begruendung, reason } = item as Readonly<Record<string, unknown>>;
  if (typeof hinweis === 'string') return say(hinweis, String(note));
  const why = say(begruendung, reason ?? begruendung);
  if (typeof wert === 'number') return `${feld}: ${decimal(wert, 3)} (${why})`;
  if (typeof wert === 'string') return `${feld}: ${wert} (${why})`;
  return JSON.stringify(item);
}

function wordOf({ name }: CatalogField, value: string): string {
  if (DAY.test(value)) return day(value);
  if (TIME.test(value)) return time(value);
  return name === 'einheitTyp' ? carrierName(value) : name === 'betriebsStatus' ? registerWord(value) : value;
}

/** A value on a page. @param linkTo makes the address of a unit's page */
export function Value({
  field,
  value,
  signals,
  linkTo,
}: {
  field: CatalogField;
  value: FieldValue | undefined;
  signals: SignalTexts;
  linkTo: (mastrNumber: string) => string;
}): ComponentChildren {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return NOTHING;
  if (typeof value !== 'string') return <bdi>{textOf(field, value, signals)}</bdi>;
  if (field.name === 'einheitTyp') return <Carrier name={value} />;
  if (UNIT_NUMBER.test(value)) return <a href={linkTo(value)}>{value}</a>;
  const words = codeName(wordOf(field, value));
  return (
    <bdi class={value.length > LONG ? 'long' : undefined} {...(words === value ? { lang: 'de' } : {})}>
      {words}
    </bdi>
  );
}

function Carrier({ name }: { name: string }) {
  return (
    <span class="carrier">
      <i style={{ background: carrierColor(name) }} />
      {carrierName(name)}
    </span>
  );
}
