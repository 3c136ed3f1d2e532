import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOut, type Underway } from '../../../../api/webhooks/delivery/agenda.ts';
import type { DueEndpoint } from '../../../../sql/org/webhooks/deliveries.ts';

/** The endpoints that get the places that are free. They are named `<organisation>.<number>`. */

const due = (name: string, waitedMs = 0, failing = false): DueEndpoint => ({
  endpointId: name,
  organisationId: name.split('.')[0]!,
  failing,
  waitedMs,
});

/** Attempts that are under way, by endpoint. */
const underway = (counts: Readonly<Record<string, number>>): Underway => ({
  ofEndpoint: (id) => counts[id] ?? 0,
  ofOrganisation: (id) =>
    Object.entries(counts).reduce((sum, [endpoint, count]) => sum + (endpoint.startsWith(`${id}.`) ? count : 0), 0),
});

const shared = (places: number, candidates: readonly DueEndpoint[], counts: Record<string, number> = {}) =>
  Object.fromEntries(
    shareOut(places, candidates, underway(counts)).map(({ endpointId, count }) => [endpointId, count]),
  );

describe('free places', () => {
  test('go to an endpoint four times at most, and once while it fails', () => {
    expect(shared(100, [due('a.1'), due('b.1', 0, true)])).toEqual({ 'a.1': 4, 'b.1': 1 });
    expect(shared(100, [due('a.1'), due('b.1', 0, true)], { 'a.1': 3, 'b.1': 1 })).toEqual({ 'a.1': 1 });
  });

  test('go first to the organisation that has the fewest attempts under way', () => {
    const hanging = Array.from({ length: 20 }, (_, index) => due(`h.${index}`, 99_000));
    const counts = Object.fromEntries(hanging.map(({ endpointId }) => [endpointId, 1]));
    expect(shared(4, [...hanging, due('a.1')], counts)).toEqual({ 'a.1': 4 });
  });

  test('go in turns to organisations that have equally many', () => {
    expect(shared(4, [due('a.1', 9), due('a.2', 8), due('b.1', 7), due('c.1', 6)])).toEqual({
      'a.1': 1,
      'a.2': 1,
      'b.1': 1,
      'c.1': 1,
    });
  });

  test('go within an organisation to the endpoint that has the fewest, and among equals to the one that waits longest', () => {
    expect(shared(1, [due('a.1', 5), due('a.2', 1)], { 'a.1': 1 })).toEqual({ 'a.2': 1 });
    expect(shared(1, [due('a.1', 1), due('a.2', 5)])).toEqual({ 'a.2': 1 });
  });

  test('are all taken as long as an endpoint may have one, and never more than there are', () => {
    const endpoints = fc.uniqueArray(
      fc.record({
        organisation: fc.constantFrom('a', 'b', 'c'),
        number: fc.integer({ min: 0, max: 9 }),
        failing: fc.boolean(),
        waited: fc.integer({ min: 0, max: 9 }),
        under: fc.integer({ min: 0, max: 4 }),
      }),
      { selector: ({ organisation, number }) => `${organisation}.${number}` },
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), endpoints, (places, all) => {
        const named = all.map((each) => ({ ...each, name: `${each.organisation}.${each.number}` }));
        const counts = Object.fromEntries(named.map(({ name, under }) => [name, under]));
        const got = shared(
          places,
          named.map(({ name, waited, failing }) => due(name, waited, failing)),
          counts,
        );
        const room = named.map(({ failing, under }) => Math.max(0, (failing ? 1 : 4) - under));
        const granted = named.map(({ name }) => got[name] ?? 0);
        const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
        expect(sum(granted)).toBe(Math.min(places, sum(room)));
        for (const [index, count] of granted.entries()) expect(count).toBeLessThanOrEqual(room[index]!);
      }),
    );
  });
});
