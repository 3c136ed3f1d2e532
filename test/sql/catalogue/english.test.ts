import { expect, test } from 'vitest';
import { describedInEnglish } from '../../../sql/catalogue/english.ts';
import { UNIT_FIELDS } from '../../../sql/catalogue/unit-fields.ts';

/** Every field is described in English too, as the OpenAPI document and its pages need it. */

test.each(UNIT_FIELDS)('$name', (field) => {
  const meaning = describedInEnglish(field);
  expect(meaning).toMatch(/^[A-Z]/);
  // These words are German and no names.
  expect(meaning).not.toMatch(/\b(?:der|die|das|des|und|oder|nur|mit|ohne|eine[rs]?|im|vom|zur|Tage)\b/);
});

test('a field without an English meaning is refused by name', () => {
  expect(() => describedInEnglish({ name: 'neuesFeld', unit: null })).toThrow('does not describe the field neuesFeld');
});
