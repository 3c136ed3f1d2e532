import { say } from '../format/language.ts';
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
          <p class="unit">
            {say('Einbetten auf ', 'Embed on ')}
            {frameAncestors.join(', ')}
          </p>
          <CopyableCode text={frameCode(url)} label={say(`Code zum Einbetten: ${name}`, `Code to embed: ${name}`)} />
        </>
      )}
      <p class="unit">{say('Bild, etwa für Seiten ohne Skripte', 'Picture, for example for pages without scripts')}</p>
      <CopyableCode text={pictureUrl} label={say(`Adresse des Bildes: ${name}`, `Address of the picture: ${name}`)} />
    </>
  );
}

/** Without scripts, the page in the frame shows its picture. */
const frameCode = (url: string): string =>
  say(
    `<iframe src="${url}" title="Energieanlagen" width="100%" height="720" loading="lazy" referrerpolicy="no-referrer" style="border:0"></iframe>`,
    `<iframe src="${url}" title="Energy assets" width="100%" height="720" loading="lazy" referrerpolicy="no-referrer" style="border:0"></iframe>`,
  );
