import { describedInEnglish } from '../../../sql/catalogue/english.ts';
import { BLOCKS, type UnitField } from '../../../sql/catalogue/field.ts';
import { UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { renderMarkdown } from '../../pages/markdown.ts';

/** The fields of a unit in German and English, block by block. */

/** Anchor of a field on the page of German names. */
export const fieldAnchor = ({ name }: UnitField): string => `field-${name}`;

export const fieldTables = (): Html => html`<h2 id="fields">Fields of a unit</h2>
<p>The same as <code>GET /v1/units/fields</code> answers, with the meaning in both languages. Fields of a block come with
<code>include=</code> and its name.</p>
${[null, ...BLOCKS].map(
  (
    block,
  ) => html`<h3 id="block-${block ?? 'base'}">${block === null ? 'Always' : html`Block <code>${block}</code>`}</h3>
<div class="scroll" tabindex="0"><table>
<thead><tr><th>Field</th><th>Meaning</th><th>German</th><th>Filters</th></tr></thead>
<tbody>
${UNIT_FIELDS.filter((field) => field.block === block).map(fieldRow)}</tbody>
</table></div>
`,
)}`;

const fieldRow = (field: UnitField): Html => html`<tr id="${fieldAnchor(field)}"><td><code>${field.name}</code></td>
<td>${renderMarkdown(describedInEnglish(field)).html}</td><td lang="de">${field.meaning}</td>
<td>${field.filters.map(({ name }, at) => html`${at === 0 ? '' : ' '}<code>${name}</code>`)}</td></tr>
`;
