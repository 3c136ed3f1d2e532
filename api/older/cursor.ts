import { z } from 'zod';
import { UNIT_NUMBER } from '../../sql/register/mastr-number.ts';
import type { UnitRow } from '../units/read.ts';

/** The position in a list: capacity in kW and number of the last unit, `<leistung>:<mastr_nummer>`. */
interface OlderPosition {
  /** A text, since a number could not hold as many digits. Null = unknown; such units come last. */
  readonly kw: string | null;
  readonly number: string;
}

const FORM = new RegExp(`^([0-9]{1,15}(?:\\.[0-9]{1,3})?)?:(${UNIT_NUMBER})$`);

export const olderCursor = () =>
  z
    .string()
    .regex(FORM, 'must be the cursor of the page before, <leistung>:<mastr_nummer>')
    .transform((text): OlderPosition => {
      const [, kw, number = ''] = FORM.exec(text) ?? [];
      return { kw: kw ?? null, number };
    });

/** Makes the cursor after a row of the list; nothing precedes the colon when its capacity is unknown. */
export const cursorAfter = ({ bruttoleistungKw, mastrNummer }: UnitRow): string =>
  `${bruttoleistungKw ?? ''}:${mastrNummer}`;
