import fc, { type AsyncCommand } from 'fast-check';
import { expect } from 'vitest';
import { CHANNEL_RULES } from './rules/channel.ts';
import { CONNECTION_RULES } from './rules/connections.ts';
import { CONTACT_RULES } from './rules/contacts.ts';
import { FIELD_RULES, UNITS } from './rules/fields.ts';
import { READING_RULES } from './rules/reading.ts';
import { SHARING_RULES } from './rules/sharing.ts';
import { everyAnswer } from './world/answers.ts';
import type { Reality } from './world/reality.ts';
import type { Rule } from './world/rule.ts';
import { type Organisation, World } from './world/world.ts';

/** Random histories: steps that are drawn without knowing the world, and find in it what they can do. */

const RULES: readonly Rule[] = [
  ...FIELD_RULES,
  ...CONTACT_RULES,
  ...CONNECTION_RULES,
  ...SHARING_RULES,
  ...CHANNEL_RULES,
  ...READING_RULES,
];

/** One step of a history. It prints itself as what it did. */
class Step implements AsyncCommand<World, Reality, false> {
  readonly rule: Rule;
  readonly #choice: number;
  readonly #bold: boolean;
  #told = '';

  /**
   * @param choice which of the deeds that are possible, counted around
   * @param bold also tries what must be refused
   */
  constructor(rule: Rule, choice: number, bold: boolean) {
    this.rule = rule;
    this.#choice = choice;
    this.#bold = bold;
  }

  #deed(world: World): unknown {
    const all = [...this.rule.deeds(world)].filter((deed) => this.#bold || this.rule.fits(world, deed));
    return all[this.#choice % all.length];
  }

  check(world: World): boolean {
    return this.#deed(world) !== undefined;
  }

  async run(world: World, reality: Reality): Promise<void> {
    const { rule } = this;
    const deed = this.#deed(world);
    this.#told = rule.tell(deed);
    world.now += 1;
    await reality.nextMillisecond();
    const expected = rule.fits(world, deed) ? rule.change(world, deed) : (rule.refusal?.(world, deed) ?? 'refused');
    expect(await rule.perform(reality, deed, world), this.#told).toEqual(expected);
    for (const answer of everyAnswer(world, reality, UNITS)) await reality.expectAnswer(answer);
  }

  toString(): string {
    return this.#told;
  }
}

const step = (rule: Rule) =>
  fc
    // Only small numbers are needed, as there are never many deeds that fit; one step in six tries what may be refused.
    .record({ choice: fc.nat(9_999), bold: fc.integer({ min: 0, max: 5 }).map((number) => number === 5) })
    .map(({ choice, bold }) => new Step(rule, choice, bold));

/**
 * Draws without a bias to short ones, since short histories prove little.
 * @param length most steps of one; many find nothing that they could do, and are left out
 */
export const histories = (length: number) =>
  fc.noBias(
    fc.commands(
      RULES.flatMap((rule) => Array.from({ length: rule.weight ?? 1 }, () => step(rule))),
      { maxCommands: length, size: 'max' },
    ),
  );

const NAMES = ['Stadtwerk', 'Windhof', 'Netz Nord', 'Ökostrom'];

/** A world before its first step: organisations with two users each and some units. */
export function newWorld(count: number): World {
  const world = new World();
  for (const [index, name] of NAMES.slice(0, count).entries()) {
    const handle = String.fromCharCode(65 + index);
    const users = [1, 2].map((number) => ({
      handle: `${handle.toLowerCase()}${number}`,
      organisation: handle,
      name: `Person ${handle}${number}`,
    }));
    const portfolio = new Map(UNITS.slice(index % 2).map((unit) => [unit, 'OPERATOR']));
    world.organisations.push({ handle, name, users, portfolio } satisfies Organisation);
  }
  return world;
}
