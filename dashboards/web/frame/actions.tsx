import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { say } from '../format/language.ts';
import type { ApiRequest } from '../v1/request.ts';
import { useVisit } from '../v1/use-answer.ts';
import { fileName, saveFile } from './download.ts';
import { PageTitle } from './page-title.ts';
import { type PictureText, svgOf } from './picture.ts';
import { pngOf } from './pixels.ts';
import { RequestCode } from './request-code.tsx';
import type { Table } from './table.ts';
import { saveTable, TABLE_FILES, type TableFile } from './table-file.ts';

/** Offers what a visitor can take away from a figure. */
export function Actions({
  title,
  requests,
  paged,
  table,
  download,
  picture,
  source,
  asOf,
  note,
}: {
  title: string;
  requests: readonly ApiRequest[];
  /** True: the requests are lists that come page by page. */
  paged: boolean;
  /** null = there is nothing to take. */
  table: (() => Table) | null;
  /** A file of another kind. */
  download: ComponentChildren;
  picture: (() => { chart: Element; text: PictureText }) | null;
  source: string;
  /** The day of the data; null = they have none. */
  asOf: string | null;
  /** The remark under the figure. */
  note: string;
}) {
  const { root } = useVisit();
  const page = useContext(PageTitle);
  const [isOpen, open] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const name = fileName(title);
  const saveRows = async (kind: TableFile): Promise<void> => {
    if (table === null) return;
    setFault(null);
    try {
      await saveTable(kind, table(), { title, page, asOf, note, source, requests, root });
    } catch (error) {
      setFault(
        say(
          `Die Datei konnte nicht gespeichert werden: ${error instanceof Error ? error.message : String(error)}`,
          `The file could not be saved: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    }
  };
  const savePicture = async (form: 'svg' | 'png'): Promise<void> => {
    if (picture === null) return;
    setFault(null);
    const { chart, text } = picture();
    const svg = svgOf(chart, text);
    try {
      saveFile(`${name}.${form}`, form === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngOf(svg));
    } catch (error) {
      setFault(
        say(
          `Das Bild konnte nicht gespeichert werden: ${error instanceof Error ? error.message : String(error)}`,
          `The picture could not be saved: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    }
  };
  return (
    <div class="actions">
      {table !== null &&
        TABLE_FILES.map((kind) => (
          <button
            key={kind}
            type="button"
            onClick={() => saveRows(kind)}
            aria-label={say(`${kind} speichern: ${title}`, `Save ${kind}: ${title}`)}
          >
            {kind}
          </button>
        ))}
      {download}
      {picture !== null && (
        <>
          <button
            type="button"
            onClick={() => savePicture('png')}
            aria-label={say(`PNG speichern: ${title}`, `Save PNG: ${title}`)}
          >
            PNG
          </button>
          <button
            type="button"
            onClick={() => savePicture('svg')}
            aria-label={say(`SVG speichern: ${title}`, `Save SVG: ${title}`)}
          >
            SVG
          </button>
        </>
      )}
      {requests.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={say(
            `${requests.length === 1 ? 'Anfrage' : 'Anfragen'} zeigen: ${title}`,
            `Show ${requests.length === 1 ? 'request' : 'requests'}: ${title}`,
          )}
          onClick={() => open(!isOpen)}
        >
          {requests.length === 1 ? say('Anfrage', 'Request') : say('Anfragen', 'Requests')}
        </button>
      )}
      {fault !== null && <p role="alert">{fault}</p>}
      {isOpen && <RequestCode requests={requests} paged={paged} root={root} title={title} />}
    </div>
  );
}
