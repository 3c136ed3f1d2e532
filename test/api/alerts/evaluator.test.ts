import { describe, expect, it } from 'vitest';
import { makeOrganisation } from '../../support/organisation.ts';
import { evaluating, LARGE, OVERDUE } from './evaluating.ts';
import { moment, unit, versionOf } from './stage.ts';

/** Alerts tell each news once, whatever is published, withdrawn or skipped. */

const subject = evaluating();
const { alert, watching, owns, publish, evaluateWith, told, evaluations } = subject;

describe('what is news', () => {
  it('nothing, when the very first version is published', async () => {
    await alert('new');
    await publish(1);
    expect(await told()).toEqual([]);
    expect(await evaluations()).toMatchObject([{ version: versionOf(1), comparedWith: null, error: null, events: 0 }]);
  });

  it('units that were not served before, also those that have returned', async () => {
    await alert('new');
    await publish(1, 2, 4);
    expect(await told()).toEqual([
      ['new', 2, [6, 7]],
      ['new', 4, [1, 9]],
    ]);
    expect((await evaluations()).at(-1)).toMatchObject({
      ...{ version: versionOf(4), comparedWith: versionOf(2), attempts: 1, claimedUntil: null, error: null },
      ...{ changedUnits: 8, evaluatedAlerts: 1, events: 1 },
    });
  });

  it('signals that were gained or lost; a new unit gains those that it has', async () => {
    await watching('large');
    await watching('overdue', [OVERDUE]);
    await watching('either', [LARGE, OVERDUE]);
    await publish(1, 2, 4);
    const expected = [
      ['either', 2, [2, 3, 7]],
      ['either', 4, [3]],
      ['large', 2, [2, 3, 7]],
      ['large', 4, [3]],
      ['overdue', 4, [3]],
    ];
    expect((await told()).toSorted()).toEqual(expected);
  });

  it('only units that match as they are now', async () => {
    await alert('storage', { criteria: { einheitTyp: ['storage'] } });
    await alert('solar', { criteria: { einheitTyp: ['solar'], bundesland: ['Bayern'] } });
    await alert('words', { criteria: { suche: 'PARK 6' } });
    await alert('other words', { criteria: { suche: 'park 5' } });
    await alert('words and more', { criteria: { suche: 'park', einheitTyp: ['wind'] } });
    await alert('number', { criteria: { suche: unit(7) } });
    await publish(1, 2);
    expect((await told()).toSorted()).toEqual([
      ['number', 2, [7]],
      ['solar', 2, [6, 7]],
      ['words', 2, [6]],
    ]);
  });

  it('only units that are in the own portfolio by then, whatever others have in theirs', async () => {
    const other = await makeOrganisation(subject.store);
    await owns(subject.organisation, 6);
    await owns(other.id, 7, 9);
    const criteria = { portfolio: true };
    await alert('own', { criteria });
    await alert('ownStorage', { criteria: { ...criteria, einheitTyp: ['storage'] } });
    await alert('ownWords', { criteria: { ...criteria, suche: 'park' } });
    await alert('ownSignals', { template: 'SIGNAL_CHANGE', signals: [LARGE, OVERDUE], criteria });
    await publish(1, 2);
    expect((await told()).toSorted()).toEqual([
      ['own', 2, [6]],
      ['ownWords', 2, [6]],
    ]);
    await owns(subject.organisation, 1, 3);
    await publish(4);
    expect((await told()).slice(2).toSorted()).toEqual([
      ['own', 4, [1]],
      ['ownSignals', 4, [3]],
      ['ownWords', 4, [1]],
    ]);
  });

  it('not the content that a release changes', async () => {
    await alert('new');
    await watching('large');
    await publish(1, 2, 4);
    const before = await told();
    await publish(5);
    expect(await told()).toEqual(before);
    expect((await evaluations()).at(-1)).toMatchObject({ version: versionOf(5), changedUnits: 8, evaluatedAlerts: 2 });
  });

  it('only what was published after the alert was enabled', async () => {
    await alert('late', { enabledAt: moment(2) });
    await alert('off', { enabled: false });
    await publish(1, 2, 4);
    expect(await told()).toEqual([['late', 4, [1, 9]]]);
  });
});

describe('a version that is rolled back', () => {
  it('is told, as it was served; the roll-back tells nothing, nor does publishing it again', async () => {
    await alert('new');
    await publish(1, 2, 3, { back: 2 }, { back: 3 }, { back: 2 }, 3);
    expect((await told()).map(([, version, units]) => [version, units])).toEqual([
      [2, [6, 7]],
      [3, [8, 9]],
    ]);
  });

  it('of the next version, what it has named is told no more', async () => {
    await alert('new');
    await watching('large');
    await watching('either', [LARGE, OVERDUE]);
    await publish(1, 2, 3, { back: 2 }, 4);
    expect((await told()).filter(([, version]) => version > 2).toSorted()).toEqual([
      // That 3 has lost LARGE was told with version 3; that it has gained OVERDUE was not.
      ['either', 3, [3]],
      ['either', 4, [3]],
      ['large', 3, [3]],
      ['new', 3, [8, 9]],
      ['new', 4, [1]],
    ]);
  });

  it('hides nothing from alerts that it did not meet', async () => {
    await alert('solar', { criteria: { einheitTyp: ['solar'] } });
    await alert('late', { enabledAt: moment(3) });
    await publish(1, 2, 3, { back: 2 }, 4);
    expect((await told()).filter(([, version]) => version > 2).toSorted()).toEqual([
      ['late', 4, [1, 9]],
      ['solar', 3, [8]],
      ['solar', 4, [1, 9]],
    ]);
  });

  it('before anybody was told is not told, unless it is served again', async () => {
    await alert('new');
    await publish(1, 2);
    subject.stage.publish(3);
    await publish({ back: 2 });
    expect((await told()).map(([, version]) => version)).toEqual([2]);
    await publish({ back: 3 });
    expect((await told()).map(([, version]) => version)).toEqual([2, 3]);
  });

  it('before anybody was told, and is served again, is told without what a later one has named', async () => {
    await alert('new');
    await publish(1);
    subject.stage.publish(2);
    await publish({ back: 1 }, 3, { back: 2 });
    expect(await told()).toEqual([['new', 3, [6, 7, 8, 9]]]);
  });
});

describe('after the service was down', () => {
  it('every version is told by itself, in the order of the publications', async () => {
    await alert('new');
    await publish(1);
    subject.stage.publish(2);
    subject.stage.publish(4);
    await publish(5);
    expect(await told()).toEqual([
      ['new', 2, [6, 7]],
      ['new', 4, [1, 9]],
    ]);
  });

  it('the news of a version that is not kept any more belong to those of the next', async () => {
    await alert('new');
    await publish(1);
    subject.stage.publish(2);
    subject.stage.prune(2);
    await publish(4);
    expect(await told()).toEqual([['new', 4, [6, 7, 9]]]);
    expect((await evaluations()).map(({ version, comparedWith }) => [version, comparedWith])).toEqual([
      [versionOf(1), null],
      [versionOf(4), versionOf(1)],
    ]);
  });

  it('a version that is removed at the last moment leaves its news to the next', async () => {
    await alert('new');
    await publish(1);
    subject.stage.publish(2);
    subject.stage.publish(4);
    let looks = 0;
    const { warehouse } = subject.stage.parts;
    const pruned = {
      ...warehouse,
      versions() {
        looks += 1;
        if (looks === 2) subject.stage.prune(2);
        return warehouse.versions();
      },
    };
    expect(await evaluateWith({ warehouse: pruned })).toBe(false);
    expect(await subject.stage.evaluate()).toBe(true);
    expect(await told()).toEqual([['new', 4, [6, 7, 9]]]);
    expect((await evaluations()).map(({ version }) => version)).toEqual([versionOf(1), versionOf(4)]);
  });

  it('a version that cannot be compared is given up, and later ones go on', async () => {
    await alert('new');
    await publish(1, 2);
    subject.stage.prune(2);
    subject.stage.publish(4);
    await publish(5);
    const [, , given, next] = await evaluations();
    expect(given).toMatchObject({ version: versionOf(4), error: expect.stringContaining('not kept'), events: 0 });
    expect(given!.endedAt).not.toBeNull();
    expect(next).toMatchObject({ version: versionOf(5), comparedWith: versionOf(4), error: null });
  });

  it('versions of more than thirty days ago are no news', async () => {
    await alert('new');
    subject.stage.publish(1);
    subject.stage.publish(2);
    const old = subject.stage.parts.warehouse.publications();
    const days = 31 * 86_400_000;
    for (const one of old) one.publishedAt = new Date(Date.now() - days).toISOString();
    expect(await subject.stage.evaluate()).toBe(true);
    expect(await evaluations()).toEqual([]);
  });
});
