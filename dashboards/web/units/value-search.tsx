import { useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { count } from '../format/numbers.ts';
import { Combobox } from '../frame/combobox.tsx';
import type { ReferenceValue, ReferenceValues } from '../v1/answers.ts';
import { type Loaded, shown } from '../v1/loaded.ts';
import { sentenceOf } from '../v1/problem-words.ts';
import { useAnswer } from '../v1/use-answer.ts';
import { useDebounced } from '../v1/use-debounced.ts';

const SUGGESTIONS = 12;

/**
 * Finds values by a part of them, and chooses one after the other.
 * @param carriers units of these count; null = all
 * @param text of the field while nobody types; with it the label is seen
 */
export function ValueSearch({
  set,
  label,
  carriers,
  text: chosen,
  onChoose,
  onEscape,
}: {
  set: string;
  label: string;
  carriers: string | null;
  text?: string;
  onChoose: (value: ReferenceValue) => void;
  onEscape?: () => void;
}) {
  const [typed, type] = useState<string | null>(null);
  const text = (typed ?? '').trim();
  const asked = useDebounced(text);
  const loaded = useAnswer<ReferenceValues>(
    asked === ''
      ? null
      : { path: `/v1/reference/${set}`, query: { q: asked, limit: SUGGESTIONS, einheitTyp: carriers } },
  );
  const isCurrent = loaded.state === 'ready' && asked === text;
  return (
    <Combobox
      label={label}
      isLabelHidden={chosen === undefined}
      {...(chosen === undefined ? {} : { text: chosen })}
      {...(onEscape === undefined ? {} : { onEscape })}
      placeholder={say('Tippen und auswählen', 'Type and choose')}
      hint={say(
        'Einen Teil des Wertes tippen, mit den Pfeiltasten wählen.',
        'Type a part of the value, and choose with the arrow keys.',
      )}
      options={text === '' || asked === '' ? [] : (shown(loaded)?.data ?? [])}
      isCurrent={isCurrent}
      isBusy={text !== '' && !isCurrent && loaded.state !== 'failed'}
      remark={text === '' ? '' : remark(loaded, isCurrent)}
      idOf={({ value }) => value}
      show={({ value, count: units }) => (
        <>
          <bdi class="name">{value}</bdi>
          <span class="count">{count(units)}</span>
        </>
      )}
      onType={type}
      onChoose={onChoose}
    />
  );
}

/** The line beneath the list. */
function remark(loaded: Loaded<ReferenceValues>, isCurrent: boolean): string {
  if (loaded.state === 'failed') {
    return say(
      `Die Werte sind nicht bekannt: ${sentenceOf(loaded.problem)}`,
      `The values are not known: ${sentenceOf(loaded.problem)}`,
    );
  }
  if (!isCurrent || loaded.state === 'loading') return say('Wird gesucht …', 'Searching …');
  return loaded.value.data.length === 0 ? say('Kein Wert passt.', 'No value fits.') : '';
}
