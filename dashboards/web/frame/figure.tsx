import { type ComponentChildren, isValidElement } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { LANGUAGE, say } from '../format/language.ts';
import { type Loaded, shown } from '../v1/loaded.ts';
import type { ApiRequest } from '../v1/request.ts';
import { Actions } from './actions.tsx';
import { Legend, pictureKeys } from './legend.tsx';
import { sourceLine, useSource } from './source.ts';
import { Empty, Failed, Waiting } from './state.tsx';
import type { Table } from './table.ts';
import { TableView } from './table-view.tsx';

export interface FigureProps<T> {
  /** Says what is seen: „Zubau und Abbau in München, quartalsweise“. */
  readonly title: string;
  /** Unit and what the figures count: „MW brutto, Anlagen in Betrieb“. */
  readonly unit: string;
  readonly loaded: Loaded<T>;
  /** The requests whose answers are shown. */
  readonly requests: readonly ApiRequest[];
  /** Names what would be here, in the accusative: „den Zubau je Quartal“. It is said where the key may not see it. */
  readonly shows: string;
  /** Gives what is seen as rows: for the file, and for readers who do not see the chart. */
  table(value: T): Table;
  /** A sentence where there is nothing to show; null = there is something. */
  empty(value: T): ComponentChildren | null;
  readonly legend?: Parameters<typeof Legend>[0];
  /** Height that the content will have (px). */
  readonly height?: number;
  /** A remark without which it would be read wrongly. */
  readonly note?: ComponentChildren;
  /** Name of the dataset whose day and licence stand beneath. Default: the units of the register. */
  readonly dataset?: string;
  /** The source of what is not of the register. Default: the day and licence of the dataset. */
  readonly origin?: string;
  /** Further attribution, as of boundaries. */
  readonly attribution?: string;
  /** True where the content is a table already, or no chart: there is no picture of it, and no table beside it. */
  readonly plain?: boolean;
  /** The page that shows more of it. */
  readonly more?: { readonly href: string; readonly name: string };
  /** Offered in place of the file of what is seen, where there is more than that. */
  readonly download?: ComponentChildren;
  /** True: the requests are lists that come page by page. */
  readonly paged?: boolean;
  children(value: T): ComponentChildren;
}

/** What is written in a remark, without its buttons. */
function textOf(children: ComponentChildren): string {
  if (typeof children === 'string' || typeof children === 'number') return String(children);
  if (Array.isArray(children)) return children.map(textOf).join('');
  return isValidElement(children) && children.type !== 'button'
    ? textOf((children.props as { readonly children?: ComponentChildren }).children)
    : '';
}

/**
 * The frame of every chart and table: title and unit, day and source beneath, downloads of exactly this, the requests
 * behind it; and what stands there while it loads, when there is nothing, and when the interface refuses.
 */
export function Figure<T>(props: FigureProps<T>) {
  const { title, unit, loaded, requests, shows, legend, height = 320, note, attribution, plain = false } = props;
  const id = useId();
  const content = useRef<HTMLDivElement>(null);
  const source = useSource(props.dataset);
  const value = shown(loaded);
  const nothing = value === null ? null : props.empty(value);
  const isStale = loaded.state === 'loading' && value !== null;
  const sources = props.origin ?? sourceLine(source, attribution);
  // Attributions that a source prescribes stay in its words.
  const isCited = sources.startsWith('Quelle: ') && LANGUAGE !== 'de';
  return (
    <figure class={plain ? 'figure plain' : 'figure'} aria-labelledby={id} aria-busy={loaded.state === 'loading'}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        {props.more !== undefined && (
          <a class="more" href={props.more.href}>
            {props.more.name}
          </a>
        )}
        <p class="unit">{unit}</p>
      </figcaption>
      {legend !== undefined && value !== null && nothing === null && <Legend {...legend} />}
      <div ref={content} class={isStale ? 'content stale' : 'content'}>
        {loaded.state === 'failed' ? (
          <Failed problem={loaded.problem} retry={loaded.retry} shows={shows} />
        ) : value === null ? (
          loaded.state === 'loading' && <Waiting loaded={loaded} height={height} />
        ) : nothing !== null ? (
          <Empty height={Math.min(height, 160)}>{nothing}</Empty>
        ) : (
          props.children(value)
        )}
      </div>
      {isStale && loaded.state === 'loading' && (loaded.waitingUntil !== null || loaded.progress !== null) && (
        <Waiting loaded={loaded} height={0} />
      )}
      {value !== null && nothing === null && loaded.state !== 'failed' && !plain && (
        <details class="as-table">
          <summary>{say('Als Tabelle', 'As a table')}</summary>
          <TableView table={props.table(value)} caption={title} />
        </details>
      )}
      {note !== undefined && <p class="note">{note}</p>}
      <footer>
        <p class="source" {...(isCited ? { lang: 'de' } : {})}>
          {sources}
        </p>
        <Actions
          title={title}
          requests={requests}
          paged={props.paged ?? false}
          download={props.download}
          table={value === null || nothing !== null || props.download !== undefined ? null : () => props.table(value)}
          picture={
            plain || value === null || nothing !== null
              ? null
              : () => ({
                  chart: content.current as Element,
                  text: { title, unit, legend: legend === undefined ? [] : pictureKeys(legend), source: sources },
                })
          }
          source={sources}
          asOf={props.origin === undefined ? (source?.asOf ?? null) : null}
          note={textOf(note).trim()}
        />
      </footer>
    </figure>
  );
}
