import { expect, test } from 'vitest';
import { describedInEnglish, noteInEnglish } from '../../../sql/catalogue/english.ts';
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

test('notes are English, too, and none is left in German', () => {
  const notes = UNIT_FIELDS.map(noteInEnglish).filter((note) => note !== null);
  expect(notes.filter((note) => /\b(?:der|die|das|und|oder|nur|mit|ohne|eine[rs]?|im|zur)\b/.test(note))).toEqual([]);
  expect(() => noteInEnglish({ name: 'neuesFeld', filterOnly: null, hint: 'Neu' })).toThrow('no note of the field');
});
