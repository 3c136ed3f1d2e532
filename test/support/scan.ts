import { expect } from 'vitest';
import { codeUnits } from '../../ingest/scan/decode.ts';
import { DocumentError } from '../../ingest/scan/document-error.ts';
import type { ScanHandler, ScannedRecord } from '../../ingest/scan/handler.ts';
import { Scanner } from '../../ingest/scan/scanner.ts';
import { textOf, unitsOf } from '../../ingest/scan/text.ts';
import { SLOTS } from './xml.ts';

/** The events of the scanner, in order. */
export type ScanEvent =
  | { readonly record: number; readonly values: Readonly<Record<number, string>> }
  | { readonly broken: string; readonly text: string }
  | { readonly unknown: string; readonly text: string }
  | { readonly forbidden: string; readonly characters: number }
  | { readonly stray: string }
  /** The text is no member of an export, or only a part of one. */
  | { readonly refused: string };

class Recorder implements ScanHandler {
  readonly events: ScanEvent[] = [];

  record(record: ScannedRecord): void {
    const values: Record<number, string> = {};
    for (let slot = 0; slot < record.seen.length; slot++) {
      if (record.seen[slot] !== record.stamp) continue;
      values[slot] = textOf(record.units, record.start[slot]!, record.end[slot]!);
    }
    this.events.push({ record: record.number, values });
  }

  broken(reason: string, text: string): void {
    this.events.push({ broken: reason, text });
  }

  unknown(element: string, text: string): void {
    this.events.push({ unknown: element, text });
  }

  forbidden(element: string, characters: number): void {
    this.events.push({ forbidden: element, characters });
  }

  stray(what: string): void {
    this.events.push({ stray: what });
  }
}

/** Longer than any record of the tests; the memory that a scanner sets aside would cost most of their time. */
const MAX_LENGTH = 4096;

/** Reads the pieces of a text one after the other. */
export function scanPieces(pieces: readonly string[], kind: string | null = null): ScanEvent[] {
  const recorder = new Recorder();
  const scanner = new Scanner(SLOTS, recorder, { longest: MAX_LENGTH, kind });
  try {
    for (const piece of pieces) scanner.push(unitsOf(piece));
    scanner.end();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    recorder.events.push({ refused: error.message });
  }
  return recorder.events;
}

export const scan = (text: string, kind: string | null = null): ScanEvent[] => scanPieces([text], kind);

/** Wherever a text is cut in two, and cut into single code units, it gives the same events. */
export function expectSameWhereverCut(text: string): void {
  const events = scan(text);
  const asText = JSON.stringify(events);
  const check = (pieces: readonly string[], where: string) => {
    const found = scanPieces(pieces);
    if (JSON.stringify(found) !== asText) expect(found, where).toEqual(events);
  };
  for (let at = 1; at < text.length; at++) check([text.slice(0, at), text.slice(at)], `cut at ${at}`);
  check(text.split(''), 'cut into single code units');
}

export const valuesOf = (events: readonly ScanEvent[]): Readonly<Record<number, string>>[] =>
  events.flatMap((event) => ('values' in event ? [event.values] : []));

export const brokenOf = (events: readonly ScanEvent[]): string[] =>
  events.flatMap((event) => ('broken' in event ? [event.broken] : []));

async function* each(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

export const refusalOf = (events: readonly ScanEvent[]): string | null => {
  const last = events.at(-1);
  return last !== undefined && 'refused' in last ? last.refused : null;
};

/** The text that bytes in pieces stand for. */
export async function decoded(pieces: readonly Buffer[]): Promise<string> {
  let text = '';
  for await (const units of codeUnits(each(pieces))) text += textOf(units, 0, units.length);
  return text;
}
