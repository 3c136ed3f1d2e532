import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiRequest } from '../v1/request.ts';
import { useVisit } from '../v1/use-answer.ts';
import { fileName, saveFile } from './download.ts';
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
}) {
  const { root } = useVisit();
  const [isOpen, open] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const name = fileName(title);
  const saveRows = async (kind: TableFile): Promise<void> => {
    if (table === null) return;
    setFault(null);
    try {
      await saveTable(kind, table(), { title, source, requests, root });
    } catch (error) {
      setFault(`Die Datei konnte nicht gespeichert werden: ${error instanceof Error ? error.message : String(error)}`);
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
      setFault(`Das Bild konnte nicht gespeichert werden: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div class="actions">
      {table !== null &&
        TABLE_FILES.map((kind) => (
          <button key={kind} type="button" onClick={() => saveRows(kind)} aria-label={`${kind} speichern: ${title}`}>
            {kind}
          </button>
        ))}
      {download}
      {picture !== null && (
        <>
          <button type="button" onClick={() => savePicture('png')} aria-label={`PNG speichern: ${title}`}>
            PNG
          </button>
          <button type="button" onClick={() => savePicture('svg')} aria-label={`SVG speichern: ${title}`}>
            SVG
          </button>
        </>
      )}
      {requests.length > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${requests.length === 1 ? 'Anfrage' : 'Anfragen'} zeigen: ${title}`}
          onClick={() => open(!isOpen)}
        >
          {requests.length === 1 ? 'Anfrage' : 'Anfragen'}
        </button>
      )}
      {fault !== null && <p role="alert">{fault}</p>}
      {isOpen && <RequestCode requests={requests} paged={paged} root={root} title={title} />}
    </div>
  );
}
