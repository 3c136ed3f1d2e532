import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A head that opens what belongs to it. What is closed is not there: nothing is asked for it. */
export function Disclosure({
  title,
  mark,
  level,
  isOpen,
  onToggle,
  children,
}: {
  title: ComponentChildren;
  /** Stands at the end of the head, as a number of what is chosen. */
  mark?: ComponentChildren;
  level: 'group' | 'filter';
  isOpen: boolean;
  onToggle: () => void;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class={`disclosure ${level}`}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        <span>{title}</span>
        {mark}
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </div>
  );
}
