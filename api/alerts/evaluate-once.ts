import { type Settings, today } from '../../runtime/settings.ts';
import { type SignalId, signalMask, signalsIn } from '../../sql/catalogue/signals.ts';
import type { AlertRules } from '../../sql/org/alerts/alerts.ts';
import type { OrganisationRow } from '../../sql/org/organisations.ts';
import type { OrgStore } from '../../sql/org/store.ts';
import { unitNumberOf } from '../../sql/register/mastr-number.ts';
import type { Publication } from '../../sql/warehouse/versions.ts';
import { searchesOwnTexts } from '../units/conditions.ts';
import { type ChangeCount, type ChangedUnit, changedUnits, NotComparable } from './changes.ts';
import { firstPublications } from './line.ts';
import { type AskedAlert, matchAlerts } from './matching.ts';
import { alertHolder, asksPortfolio, portfolioNow, registerQuestion } from './question.ts';
import { openComparison, type Versions } from './versions.ts';
import { NOT_TOLD, watchesOf } from './watches.ts';

/** Finds out what an alert would have matched between two versions. Nothing is stored. */

interface Trial {
  readonly store: OrgStore;
  readonly versions: Versions;
  /** Oldest first. */
  readonly publications: readonly Publication[];
  readonly settings: Settings;
  readonly organisation: OrganisationRow;
  /** The rules of the alert, which need not be stored. */
  readonly rules: AlertRules;
  /** Default: the version that was served before `to`. */
  readonly from: string | null;
  /** Default: the version served now. */
  readonly to: string | null;
}

interface TrialMatch {
  readonly mastrNummer: string;
  readonly isNew: boolean;
  /** Watched signals that the unit has gained; only a SIGNAL_CHANGE has any. */
  readonly gained: readonly SignalId[];
  readonly lost: readonly SignalId[];
}

export interface TrialResult {
  readonly from: string;
  readonly to: string;
  /** Units with other content, whatever differs. */
  readonly changedUnits: number;
  /** The reason why the alert cannot be evaluated; null = it can. */
  readonly fault: string | null;
  readonly matchCount: number;
  /** The first matches, in the order of their numbers. */
  readonly matches: readonly TrialMatch[];
}

/** The most matches whose units are named. */
const MAX_MATCHES = 100;

/** @throws NotComparable, with a sentence that says what to do, when the versions cannot be compared */
export async function evaluateOnce(trial: Trial): Promise<TrialResult> {
  const { store, settings, organisation, rules } = trial;
  const { from, to } = chosenVersions(trial);
  const holder = await store.asOperator((session) => alertHolder(session, organisation));
  const { conditions, fault } = registerQuestion(rules, holder);
  if (conditions === null) return { from, to, changedUnits: 0, fault, matchCount: 0, matches: [] };
  const among = asksPortfolio(rules)
    ? await store.asOperator((session) => portfolioNow(session, organisation.id))
    : null;
  const asked: AskedAlert = {
    ...{ id: '', organisationId: organisation.id, template: rules.template, signals: signalMask(rules.signals) },
    ...{ watches: watchesOf(rules), conditions, among, ownTexts: searchesOwnTexts(holder.organisation) },
  };
  const opened = await openComparison(trial.versions, to, from);
  try {
    const count: ChangeCount = { changed: 0 };
    const first: ChangedUnit[] = [];
    let matchCount = 0;
    let foundFault: string | null = null;
    if (opened.before === null && asked.watches.length > 0) throw new NotComparable(NOT_TOLD);
    const wanted = { newUnits: rules.template === 'NEW_UNIT', signals: asked.signals, watches: asked.watches };
    const keepOn = () => {};
    for await (const units of changedUnits(opened, wanted, count, keepOn)) {
      await matchAlerts(units, [asked], {
        ...{ current: opened.current, store, today: today(settings), keepOn },
        async matched(_, matches) {
          matchCount += matches.length;
          first.push(...matches.slice(0, MAX_MATCHES - first.length));
        },
        faulty(_, why) {
          foundFault = why;
        },
      });
    }
    const matches = first.map((unit) => trialMatch(unit, asked.signals));
    const result = { from, to, changedUnits: count.changed };
    return foundFault === null
      ? { ...result, fault: null, matchCount, matches }
      : { ...result, fault: foundFault, matchCount: 0, matches: [] };
  } finally {
    await opened.close();
  }
}

function trialMatch({ digits, isNew, signals, signalsBefore }: ChangedUnit, watched: number): TrialMatch {
  const changed = (signals ^ signalsBefore) & watched;
  return {
    mastrNummer: unitNumberOf(digits),
    isNew,
    gained: signalsIn((changed & signals) >>> 0),
    lost: signalsIn((changed & signalsBefore) >>> 0),
  };
}

function chosenVersions({ publications, from, to }: Trial): { from: string; to: string } {
  const later = to ?? publications.at(-1)?.version;
  if (later === undefined) throw new NotComparable('No dataset version is published yet');
  const first = firstPublications(publications);
  const known = first.get(later);
  if (known === undefined) throw unknownVersion(later);
  const earlier = from ?? known.before;
  if (earlier === null) throw new NotComparable(`No version was served before ${later}; say which one with --from`);
  const before = first.get(earlier);
  if (before === undefined) throw unknownVersion(earlier);
  if (before.place >= known.place) throw new NotComparable(`${earlier} was not published before ${later}`);
  return { from: earlier, to: later };
}

const unknownVersion = (version: string): NotComparable =>
  new NotComparable(`The dataset version ${version} was never published; \`npm run ingest -- versions\` lists them`);
