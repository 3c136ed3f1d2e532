import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { say } from '../format/language.ts';

/** A button that asks before it does what cannot be seen at once. */
export function ConfirmButton({
  label,
  question,
  confirm,
  disabled,
  onConfirm,
  children,
}: {
  label: string;
  question: string;
  confirm: string;
  disabled: boolean;
  onConfirm: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{question}</h2>
        {children}
        <p class="actions">
          <button
            type="button"
            class="primary"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {confirm}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {say('Abbrechen', 'Cancel')}
          </button>
        </p>
      </dialog>
    </>
  );
}
