/** Faults of real exports: unknown elements, forbidden control characters, truncated elements. */
import { baseOf, bits, roll } from './world/random.ts';
import { STREAM, type World } from './world/world.ts';

const UNKNOWN_SHARE = 1 / 4000;
const CONTROL_SHARE = 1 / 15_000;
const BROKEN_SHARE = 1 / 200_000;

/** Stream of random numbers for faults; lower streams belong to the repetitions of units. */
const FAULTS = STREAM.quirk + 50;

/**
 * Content of a record with the faults at its position in the export. `clean` leaves out those that make the file
 * malformed: control characters and truncated elements.
 */
export function withFaults(
  world: World,
  clean: boolean,
  file: string,
  table: number,
  index: number,
  content: string,
): string {
  const base = baseOf(world.seed, FAULTS + table, index);
  const chance = roll(base, 1);
  let text = content;
  if (file.startsWith('Einheiten') && chance < UNKNOWN_SHARE)
    text += '<DatumDerDatenmeldung>2026-10-01</DatumDerDatenmeldung>';
  if (clean) return text;
  const name = text.indexOf('</NameStromerzeugungseinheit>');
  if (name > 0 && roll(base, 2) < CONTROL_SHARE)
    text = `${text.slice(0, name)}${String.fromCharCode(1 + (bits(base, 3) % 8))}${text.slice(name)}`;
  // One of the first solar units is always truncated, so that small exports have one too.
  const certain = file === 'EinheitenSolar' && index === 40 + (bits(baseOf(world.seed, FAULTS, 0), 4) % 4000);
  return certain || roll(base, 5) < BROKEN_SHARE ? cutOff(text) : text;
}

/** Truncates one element: drops its closing tag and part of its text. */
function cutOff(text: string): string {
  const at = text.indexOf('</Registrierungsdatum>');
  return at > 0 ? text.slice(0, at - 2) + text.slice(at + '</Registrierungsdatum>'.length) : text.slice(0, -6);
}
