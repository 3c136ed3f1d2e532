import type { Language } from '../operation/operation.ts';
import { type Html, html } from '../pages/html.ts';
import type { Bar, Lines, Picture } from './picture.ts';
import { type Say, sayIn, written } from './words.ts';

/** Draws the values of a view: SVG with nothing but texts and shapes, so that it stands in a page or a letter as it is. */

const WIDTH = 720;
const ROW = 30;
const TOP = 78;
const [LABELS, NUMBERS] = [210, 110];
/** Letters of a label; a longer one would run into the bars. */
const MOST_LETTERS = 30;
/** Letters of a line of text. */
const LINE = /.{1,95}(?:\s|$)/g;

/** Attributes, and no sheet: a policy may forbid those where the picture is opened by itself. */
const FAINT = html`fill="#55656c" font-size="12"`;

/** The colours of places on the pages; the last one is none of them. */
const COLORS = ['#b3541e', '#5b4b9a', '#806500', '#1f6fb2', '#a3286a', '#4b7312', '#7a4a2b', '#1b2529'];

interface Drawing {
  readonly shapes: Html;
  readonly height: number;
  /** The same in words. */
  readonly told: string;
}

/** @param sources lines that say whose data this is, and as of when */
export function drawn(picture: Picture, sources: readonly string[], language: Language): string {
  const say = sayIn(language);
  const { title, unit, bars = [], lines, words } = picture;
  const none = words ?? say('Keine Angaben', 'No data');
  const isEmpty = words !== undefined || (lines === undefined ? bars.length === 0 : lines.series.length === 0);
  const { shapes, height, told } = isEmpty
    ? drawnWords(none)
    : lines === undefined
      ? drawnBars(bars, language)
      : drawnLines(lines, language, say);
  const heading = title.match(/.{1,70}(?:\s|$)|\S{1,70}/g) ?? [];
  const units = unit.match(LINE) ?? [];
  const moved = Math.max(0, heading.length - 1) * 22 + Math.max(0, units.length - 1) * 16;
  const end = TOP + height + moved;
  const all = end + 20 + sources.length * 18;
  const underTitle = 54 + Math.max(0, heading.length - 1) * 22;
  return drawable(
    html`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${all}" width="${WIDTH}" height="${all}" lang="${language}" font-family="system-ui, sans-serif" font-size="14" fill="#1b2529">
<title>${title} (${unit})</title>
<desc>${told}</desc>
<rect width="${WIDTH}" height="${all}" fill="#ffffff"/>
${heading.map((line, index) => html`<text font-size="18" font-weight="600" x="16" y="${32 + index * 22}">${line}</text>`)}
${units.map((line, index) => html`<text ${FAINT} x="16" y="${underTitle + index * 16}">${line}</text>`)}
<g transform="translate(0 ${TOP + moved})">${shapes}</g>
${sources.map((line, index) => html`<text ${FAINT} x="16" y="${end + 22 + index * 18}">${line}</text>`)}
</svg>
`.text,
  );
}

function drawnWords(text: string): Drawing {
  const lines = text.match(/.{1,80}(?:\s|$)/g) ?? [];
  const shapes = html`${lines.map((line, index) => html`<text x="16" y="${15 + index * 20}">${line}</text>`)}`;
  return { shapes, height: 10 + lines.length * 20, told: text };
}

function drawnBars(bars: readonly Bar[], language: Language): Drawing {
  const values = bars.map(({ value }) => value ?? 0);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = WIDTH - LABELS - NUMBERS - 20;
  const at = (value: number): number => (most === least ? 0 : Math.round(((value - least) / (most - least)) * room));
  const shapes = bars.map(({ label, value }, index) => {
    const y = index * ROW;
    const [from, to] = [Math.min(0, value ?? 0), Math.max(0, value ?? 0)];
    return html`<text x="16" y="${y + 15}">${shortened(label, MOST_LETTERS)}</text>
<rect x="${LABELS + 16 + at(from)}" y="${y}" width="${at(to) - at(from)}" height="20" fill="#0b6e63"/>
<text x="${WIDTH - 16}" y="${y + 15}" text-anchor="end">${written(value, language)}</text>
`;
  });
  const told = bars.map(({ label, value }) => `${label}: ${written(value, language)}`).join('; ');
  return { shapes: html`${shapes}`, height: bars.length * ROW, told };
}

const CHART = 260;

/** Lines from zero on, with the last value of each beside its name. */
function drawnLines({ periods, series }: Lines, language: Language, say: Say): Drawing {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const [left, right] = [70, WIDTH - 20];
  const y = (value: number): number =>
    most === least ? CHART : Math.round((CHART - ((value - least) / (most - least)) * CHART) * 10) / 10;
  const step = periods.length < 2 ? 0 : (right - left) / (periods.length - 1);
  const x = (index: number): number => Math.round((left + index * step) * 10) / 10;
  const last = periods.length - 1;
  const ticks = [...new Set([0, least, most])];
  const names = [...new Set([0, Math.round(last / 2), last])];
  const ends = series.map((one) => one.values.findLastIndex((value) => value !== null));
  const color = (index: number): string => COLORS[index % COLORS.length] ?? '#1b2529';
  const shapes = html`${ticks.map(
    (tick) => html`<line x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}" stroke="#c9d2d6"/>
<text ${FAINT} x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${written(tick, language)}</text>`,
  )}
${names.map((name) => {
  const anchor = name === 0 ? 'start' : name === last ? 'end' : 'middle';
  return html`<text ${FAINT} x="${x(name)}" y="${CHART + 20}" text-anchor="${anchor}">${periods[name] ?? ''}</text>`;
})}
${series.map((one, index) => {
  const points = one.values.flatMap((value, at) => (value === null ? [] : [`${x(at)},${y(value)}`]));
  const [only] = points;
  return points.length === 1 && only !== undefined
    ? html`<circle cx="${only.split(',')[0] ?? ''}" cy="${only.split(',')[1] ?? ''}" r="4" fill="${color(index)}"/>`
    : html`<polyline points="${points.join(' ')}" fill="none" stroke="${color(index)}" stroke-width="2"/>`;
})}
${series.map(({ name, values: own }, index) => {
  const [column, row] = [index % 2, Math.floor(index / 2)];
  const top = CHART + 36 + row * 22;
  const end = ends[index] ?? -1;
  const value = end < 0 ? '–' : `${written(own[end] ?? null, language)} (${periods[end]})`;
  return html`<rect x="${16 + column * 345}" y="${top}" width="12" height="12" fill="${color(index)}"/>
<text x="${34 + column * 345}" y="${top + 11}" font-size="13">${shortened(name, 26)}: ${value}</text>`;
})}`;
  const told = series
    .map(
      ({ name, values: own }) =>
        `${name}: ${own.map((value, at) => `${periods[at]} ${written(value, language)}`).join(', ')}`,
    )
    .join('; ');
  const height = CHART + 40 + Math.ceil(series.length / 2) * 22;
  return { shapes, height, told: say(`Werte: ${told}`, `Values: ${told}`) };
}

const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** XML cannot have these, and a reader would see nothing of the whole picture. */
const drawable = (text: string): string => text.toWellFormed().replaceAll(/(?!\n)[\p{Cc}\ufffe\uffff]/gu, ' ');
