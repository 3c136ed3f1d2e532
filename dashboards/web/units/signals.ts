import type { ReferenceValue, ReferenceValues } from '../v1/answers.ts';
import { shown } from '../v1/loaded.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useAnswer } from '../v1/use-answer.ts';

/** Names and meanings of signals by id, as the interface has them. */
export type SignalTexts = ReadonlyMap<string, ReferenceValue>;

const SIGNALS: ApiRequest = { path: '/v1/reference/signals' };

/** @param isNeeded false = nothing is asked */
export function useSignalTexts(isNeeded: boolean): SignalTexts {
  const values = shown(useAnswer<ReferenceValues>(isNeeded ? SIGNALS : null));
  return new Map(values?.data.map((signal) => [signal.value, signal]));
}

/** The name for people; the id as long as it is not known. */
export const signalName = (id: string, texts: SignalTexts): string => texts.get(id)?.name ?? id;
