import type { ComponentChildren } from 'preact';

export interface KeyFigure {
  readonly name: string;
  readonly value: string;
  readonly note?: ComponentChildren;
}

/** A few figures in large type, above the charts that they sum up. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <dl class="key-figures">
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            {note !== undefined && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
