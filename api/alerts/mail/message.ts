import type { DueMail } from '../../../sql/org/alerts/mails.ts';
import type { UnitRow } from '../../units/read.ts';

/** Writes the message of an alert in German and English at once, since an address says nothing about its reader. */

export interface Found {
  readonly alert: DueMail['alert'];
  /** Units that matched, in all. */
  readonly count: number;
  /** MaStR numbers of the first ones. */
  readonly numbers: readonly string[];
  /** Their rows in the register; empty = the organisation may not read single units, or no version is served. */
  readonly units: readonly UnitRow[];
  /** Pages of the whole list: one for each event that is told of. */
  readonly lists: readonly string[];
  /** Address of the page of a unit. */
  pageOf(mastrNumber: string): string;
  /** Address of the page that stops these messages. */
  readonly unsubscribe: string;
  /** True: somebody tries the alert. What is named meets its filter now, whether it is new or not. */
  readonly isTest?: boolean;
}

/** Units that a message names. */
export const MOST_NAMED = 10;

/** Names what was found, for one unit and for several. */
const WHAT: Readonly<Record<string, readonly [german: readonly [string, string], english: readonly [string, string]]>> =
  {
    NEW_UNIT: [
      ['neue Einheit', 'neue Einheiten'],
      ['new unit', 'new units'],
    ],
    SIGNAL_CHANGE: [
      ['Einheit mit geändertem Signal', 'Einheiten mit geändertem Signal'],
      ['unit with a changed signal', 'units with a changed signal'],
    ],
    FIELD_CHANGE: [
      ['geänderte Einheit', 'geänderte Einheiten'],
      ['changed unit', 'changed units'],
    ],
    STATUS_CHANGE: [
      ['Einheit mit geändertem Betriebsstatus', 'Einheiten mit geändertem Betriebsstatus'],
      ['unit in another state', 'units in another state'],
    ],
    COMMISSIONED: [
      ['in Betrieb genommene Einheit', 'in Betrieb genommene Einheiten'],
      ['commissioned unit', 'commissioned units'],
    ],
  };

const PLAIN = [
  ['Einheit', 'Einheiten'],
  ['unit', 'units'],
] as const;

const GERMAN = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 3 });
const ENGLISH = new Intl.NumberFormat('en-GB');

export function messageOf(found: Found): { readonly subject: string; readonly text: string } {
  const { alert, count, numbers, lists, unsubscribe, isTest = false } = found;
  const [german, english] = WHAT[alert.template] ?? PLAIN;
  const form = count === 1 ? 0 : 1;
  const rows = new Map(found.units.map((unit) => [unit.mastrNummer, unit]));
  const named = numbers.slice(0, MOST_NAMED);
  const isAll = named.length === count;
  const said = isTest
    ? [
        `TEST: Jemand probiert den Alarm „${alert.name}“. Es ist nichts geschehen.`,
        `Seinen Filter erfüllen zurzeit ${GERMAN.format(count)} ${PLAIN[0][form]}, ob neu oder nicht.`,
        `TEST: Somebody tries the alert “${alert.name}”. Nothing has happened.`,
        `${ENGLISH.format(count)} ${PLAIN[1][form]} meet its filter at present, whether new or not.`,
      ]
    : [
        `Der Alarm „${alert.name}“ hat ${GERMAN.format(count)} ${german[form]} gefunden.`,
        `The alert “${alert.name}” found ${ENGLISH.format(count)} ${english[form]}.`,
      ];
  const text = [
    ...said,
    '',
    ...(isAll ? [] : [`Die ersten ${named.length} / The first ${named.length}:`, '']),
    ...named.flatMap((number) => [described(number, rows.get(number)), found.pageOf(number), '']),
    ...(lists.length === 0 ? [] : ['Die ganze Liste / The whole list:', ...lists, '']),
    '-- ',
    'Diese Nachrichten abbestellen / Stop these messages:',
    unsubscribe,
    '',
  ].join('\n');
  const subject = `${isTest ? 'TEST ' : ''}${alert.name}: ${GERMAN.format(count)} ${count === 1 ? 'Einheit / unit' : 'Einheiten / units'}`;
  return { subject, text };
}

/** Number, name, place and power, as far as the register has them. */
function described(number: string, unit: UnitRow | undefined): string {
  if (unit === undefined) return number;
  const { name, plz, ort, bundesland, bruttoleistungKw } = unit;
  const place = [[plz, ort].filter(Boolean).join(' '), bundesland].filter(Boolean).join(', ');
  const power = typeof bruttoleistungKw === 'number' ? `${GERMAN.format(bruttoleistungKw)} kW` : null;
  // Texts of the register stand in one line, whatever is in them.
  return [number, name, place, power]
    .filter(Boolean)
    .map((part) => String(part).replace(/\s+/gu, ' '))
    .join(' · ');
}
