import { html } from '../pages/html.ts';
import type { Picture } from './figures.ts';

/** Draws the amounts of a view as bars: SVG with nothing but texts and rectangles, so that it stands in a page or a letter as it is. */

const WIDTH = 720;
const ROW = 30;
const TOP = 78;
const [LABELS, NUMBERS] = [210, 110];
/** Letters of a label; a longer one would run into the bars. */
const MOST_LETTERS = 30;

const NUMBER = new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 });
/** What is small shall not look like nothing. */
const SMALL = new Intl.NumberFormat('de-DE', { maximumSignificantDigits: 2 });

/** Attributes, and no sheet: a policy may forbid those where the picture is opened by itself. */
const FAINT = html`fill="#55656c" font-size="12"`;

/** @param sources lines that say whose data this is, and as of when */
export function drawn({ title, unit, bars }: Picture, sources: readonly string[]): string {
  const most = Math.max(...bars.map(({ value }) => value ?? 0), 0);
  const room = WIDTH - LABELS - NUMBERS - 20;
  const end = TOP + Math.max(1, bars.length) * ROW;
  const height = end + 20 + sources.length * 18;
  const told = bars.map(({ label, value }) => `${label}: ${written(value)}`).join('; ');
  return drawable(
    html`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" lang="de" font-family="system-ui, sans-serif" font-size="14" fill="#1b2529">
<title>${title} (${unit})</title>
<desc>${told || 'Keine Angaben'}</desc>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text font-size="18" font-weight="600" x="16" y="32">${shortened(title, 70)}</text>
<text ${FAINT} x="16" y="54">${unit}</text>
${bars.map(({ label, value }, index) => {
  const y = TOP + index * ROW;
  const length = most === 0 ? 0 : Math.round(((value ?? 0) / most) * room);
  return html`<text x="16" y="${y + 15}">${shortened(label, MOST_LETTERS)}</text>
<rect x="${LABELS + 16}" y="${y}" width="${Math.max(0, length)}" height="20" fill="#0b6e63"/>
<text x="${WIDTH - 16}" y="${y + 15}" text-anchor="end">${written(value)}</text>
`;
})}
${bars.length === 0 ? html`<text x="16" y="${TOP + 15}">Keine Angaben</text>` : null}
${sources.map((line, index) => html`<text ${FAINT} x="16" y="${end + 22 + index * 18}">${line}</text>`)}
</svg>
`.text,
  );
}

const written = (value: number | null): string => (value === null ? '–' : (value < 1 ? SMALL : NUMBER).format(value));

const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** XML cannot have these, and a reader would see nothing of the whole picture. */
const drawable = (text: string): string => text.toWellFormed().replaceAll(/(?!\n)[\p{Cc}\ufffe\uffff]/gu, ' ');
