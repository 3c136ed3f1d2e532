import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import { type Problem, problemOf } from '../v1/problem.ts';
import { sentenceOf } from '../v1/problem-words.ts';

/** A button that asks for a few things, sends them, and says what became of it. */
export function FormDialog({
  label,
  of,
  title,
  submit,
  send,
  whyNot = sentenceOf,
  onOpen,
  disabled = false,
  children,
}: {
  label: string;
  /** What the button is about, where several have the same label. */
  of?: string;
  title: string;
  /** Label of the button that sends. */
  submit: string;
  /** Sends what the form says. @returns what is said then; null = the dialog closes */
  send(): Promise<ComponentChildren>;
  whyNot?: (problem: Problem) => string;
  onOpen?: () => void;
  /** True: there is nothing that could be sent. */
  disabled?: boolean;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState<ComponentChildren>(null);
  const open = (): void => {
    setProblem(null);
    setDone(null);
    onOpen?.();
    dialog.current?.showModal();
  };
  const close = (): void => dialog.current?.close();
  const onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const said = await send();
      if (said === null) close();
      else setDone(said);
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" onClick={open} {...(of === undefined ? {} : { 'aria-label': `${label}: ${of}` })}>
        {label}
      </button>
      <dialog ref={dialog} class="form-dialog" aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        {done === null ? (
          <form onSubmit={onSubmit}>
            {children}
            {problem !== null && (
              <p class="fault" role="alert">
                {whyNot(problem)}
              </p>
            )}
            <p class="actions">
              <button type="submit" class="primary" disabled={isBusy || disabled}>
                {submit}
              </button>
              <button type="button" onClick={close}>
                {say('Abbrechen', 'Cancel')}
              </button>
            </p>
          </form>
        ) : (
          <>
            <div role="status">{done}</div>
            <p class="actions">
              <button type="button" class="primary" onClick={close}>
                {say('Fertig', 'Done')}
              </button>
            </p>
          </>
        )}
      </dialog>
    </>
  );
}
