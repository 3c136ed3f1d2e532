import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readValue, readValues, type ValueField, type ValueInput } from '../../../api/custom-fields/value-input.ts';
import type { FieldType } from '../../../sql/org/records/custom-fields.ts';
import { cases } from '../../support/cases.ts';

/** The rules for values of custom fields. */

const field = (type: FieldType, more: Partial<ValueField> = {}): ValueField => ({
  name: 'Feld',
  type,
  multiple: false,
  choices: [],
  ...more,
});

const text = (value: string) => ({ text: value, number: null, day: null, dayPrecision: null });

describe('a text', () => {
  test.each([
    ['TEXT', 'x'.repeat(500)],
    ['TEXT', ' Ä 🌬 '],
    ['LONG_TEXT', 'zwei\r\nZeilen\t'],
    ['URL', 'http://localhost'],
    ['URL', 'HTTPS://example.org:8443/a?b=c#d'],
    ['URL', 'https://bücher.example/ä'],
  ] as const)('%s takes %j as it is', (type, value) => {
    expect(readValue(field(type), { text: value })).toEqual(text(value));
  });

  test.each([
    ['TEXT', 'x'.repeat(501), 'at most 500 characters'],
    ['TEXT', 'a\nb', 'one line'],
    ['TEXT', 'a\u2028b', 'one line'],
    ['TEXT', ' ', 'must not be blank'],
    ['LONG_TEXT', '\n', 'must not be blank'],
    ['URL', 'example.org', 'begins with https:// or http://'],
    ['URL', 'ftp://example.org', 'begins with https:// or http://'],
    ['URL', 'javascript:alert(1)', 'begins with https:// or http://'],
    ['URL', 'https://', 'begins with https:// or http://'],
    ['URL', 'https://a b.example', 'begins with https:// or http://'],
    ['URL', ' https://example.org', 'begins with https:// or http://'],
    ['URL', 'https://example.org:port/', 'begins with https:// or http://'],
    ['URL', `https://example.org/${'x'.repeat(1981)}`, 'at most 2000 characters'],
  ] as const)('%s refuses %j', (type, value, said) => {
    expect(readValue(field(type), { text: value })).toContain(said);
  });

  test('DROPDOWN takes exactly its options', () => {
    const dropdown = field('DROPDOWN', { choices: ['gut', ' mittel'] });
    expect(readValue(dropdown, { text: ' mittel' })).toEqual(text(' mittel'));
    for (const other of ['Gut', 'gut ', 'mittel', 'schlecht']) {
      expect(readValue(dropdown, { text: other })).toBe(`text has ${JSON.stringify(other)}; it takes "gut", " mittel"`);
    }
    const many = field('DROPDOWN', { choices: Array.from({ length: 12 }, (_, index) => `o${index}`) });
    expect(readValue(many, { text: 'x' })).toMatch(/ it takes "o0", .*"o9" and 2 more$/);
  });
});

test('a month is its first day, whichever is sent; a day stays', () => {
  const month = { text: null, number: null, day: '2028-02-01', dayPrecision: 'MONTH' };
  for (const datum of ['2028-02-01', '2028-02-29']) {
    expect(readValue(field('DATE'), { datum, datumsgenauigkeit: 'MONTH' })).toEqual(month);
    expect(readValue(field('DATE'), { datum })).toEqual({ ...month, day: datum, dayPrecision: 'DAY' });
  }
});

const SLOT = { TEXT: 'text', LONG_TEXT: 'text', DROPDOWN: 'text', URL: 'text', NUMBER: 'zahl', DATE: 'datum' } as const;
const SLOTS = ['text', 'zahl', 'datum'] as const;
const VALUE = { text: 'https://example.org', zahl: 0, datum: '2027-01-31' } as const;

test('a value is taken exactly when its slot, and no other, is that of the type', () => {
  const types = fc.constantFrom(...(Object.keys(SLOT) as (keyof typeof SLOT)[]));
  const empty = fc.constantFrom(undefined, null);
  const used = fc.subarray([...SLOTS]);
  fc.assert(
    fc.property(
      types,
      used,
      empty,
      fc.constantFrom('DAY', 'MONTH', undefined, null),
      (type, slots, none, precision) => {
        const input: ValueInput = { datumsgenauigkeit: precision };
        for (const slot of SLOTS) Object.assign(input, { [slot]: slots.includes(slot) ? VALUE[slot] : none });
        const read = readValue(field(type, { choices: [VALUE.text] }), input);
        if (slots.length === 0) expect(read).toBeNull();
        else if (slots.length === 1 && slots[0] === SLOT[type]) expect(read).toBeTypeOf('object');
        else expect(read).toMatch(new RegExp(`of type ${type}: its value goes into ${SLOT[type]}, and nothing into`));
      },
    ),
    { numRuns: cases(200) },
  );
});

test.each(['FILE', 'CONTACT'] as const)('a field of type %s takes nothing', (type) => {
  expect(readValue(field(type), { text: 'a' })).toContain('has no values here');
});

describe('the inputs of one field', () => {
  test('hold together or fail together: their values, or a fault for each input', () => {
    const several = field('NUMBER', { multiple: true });
    const input = fc.constantFrom<ValueInput>({ zahl: 1 }, { zahl: 2.5 }, { zahl: null }, {}, { text: 'no' });
    fc.assert(
      fc.property(fc.array(input, { maxLength: 8 }), fc.boolean(), (inputs, multiple) => {
        const read = readValues({ ...several, multiple }, inputs);
        const numbers = inputs.flatMap(({ zahl }) => (typeof zahl === 'number' ? [zahl] : []));
        const isGood = inputs.every((one) => one.text === undefined) && (multiple || numbers.length <= 1);
        if ('values' in read) expect(read.values.map(({ number }) => number)).toEqual(numbers);
        else expect(read.faults).toHaveLength(inputs.length);
        expect('values' in read).toBe(isGood);
      }),
      { numRuns: cases(200) },
    );
  });

  test('name the second value of a field that takes one, and every further one', () => {
    const read = readValues(field('NUMBER'), [{ zahl: 1 }, {}, { zahl: 1 }, { zahl: 2 }]);
    const another = '"Feld" takes one value, and this is another';
    expect(read).toEqual({ faults: [null, null, another, another] });
  });
});
