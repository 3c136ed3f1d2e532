import type { Share } from '../v1/organisation-answers.ts';
import { CopyableCode } from './request-code.tsx';

/** The address of a shared view, and what another site writes to show it. */
export function ShareCode({ share: { name, url, pictureUrl, frameAncestors } }: { share: Share }) {
  return (
    <>
      <p class="unit">Link</p>
      <CopyableCode text={url} label={`Link: ${name}`} />
      {frameAncestors.length > 0 && (
        <>
          <p class="unit">Einbetten auf {frameAncestors.join(', ')}</p>
          <CopyableCode text={frameCode(url)} label={`Code zum Einbetten: ${name}`} />
        </>
      )}
      <p class="unit">Bild, etwa für Seiten ohne Skripte</p>
      <CopyableCode text={pictureUrl} label={`Adresse des Bildes: ${name}`} />
    </>
  );
}

/** Without scripts, the page in the frame shows its picture. */
const frameCode = (url: string): string =>
  `<iframe src="${url}" title="Energieanlagen" width="100%" height="720" loading="lazy" referrerpolicy="no-referrer" style="border:0"></iframe>`;
