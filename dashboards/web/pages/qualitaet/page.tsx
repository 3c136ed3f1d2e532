import { oneOf, ownFlag, pageNumber, text, useChoices } from '../../address/address.ts';
import { nearest } from '../../address/nearest.ts';
import { CARRIERS, carrierName } from '../../charts/carriers.ts';
import { say } from '../../format/language.ts';
import { count, power, share, unitCount } from '../../format/numbers.ts';
import { Facts } from '../../frame/facts.tsx';
import { LinkRefused } from '../../frame/link-refused.tsx';
import { Page as Frame } from '../../frame/page.tsx';
import { ownSwitch } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { region } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import { useRegionName } from '../../regions/use-region-name.ts';
import { OWN_PORTFOLIO, OwnSwitch } from '../../units/own-switch.tsx';
import { useCatalogue } from '../../units/use-catalogue.ts';
import { ValueSearch } from '../../units/value-search.tsx';
import { type Loaded, shown } from '../../v1/loaded.ts';
import type { QualityRules } from '../../v1/quality-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';
import type { UnitRows } from '../../v1/unit-answers.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { HistoryFigure } from './history-figure.tsx';
import { RulesFigure } from './rules-figure.tsx';
import { WorkFigure } from './work-figure.tsx';
import { type Chosen, criteriaOf, filtersOf, UNITS_OF_A_PAGE, unitsRequest } from './work-list.ts';

export const CHOICES = {
  region,
  traeger: oneOf(['', ...CARRIERS]),
  netzbetreiber: text,
  regel: text,
  portfolio: ownFlag,
  cursor: text,
  seite: pageNumber,
} as const;

const FIRST_PAGE = { cursor: '', seite: 1 } as const;

/** Shows which entries of the register cannot be right, and lists them for those who can correct them. */
export function Page() {
  const [choices, change] = useChoices(CHOICES);
  const { cursor, seite, ...chosen } = choices;
  const choose = (next: Partial<typeof choices>): void => change({ ...next, ...FIRST_PAGE });
  const place = useRegionName(chosen.region);
  const name = nameOf(chosen, place);

  const request: ApiRequest = { path: '/v1/qualitaet', query: filtersOf(chosen) };
  const rules = useAnswer<QualityRules>(request);
  const known = shown(rules)?.data ?? [];
  const ruleNames = new Map(known.map((rule) => [rule.regel, rule.name]));
  const ruleName =
    chosen.regel === ''
      ? say('auffällige Einheiten', 'Units with anomalies')
      : (ruleNames.get(chosen.regel) ?? chosen.regel);

  const loadedCatalogue = useCatalogue();
  const catalogue = shown(loadedCatalogue);
  const fields = [...new Set(known.flatMap(({ felder }) => felder))].filter((field) => {
    const described = catalogue?.byName.get(field);
    return described?.lesbar === true && described.verfuegbar;
  });
  const isUnknown = known.length > 0 && chosen.regel !== '' && !ruleNames.has(chosen.regel);
  const isReady = catalogue !== null && known.length > 0 && !isUnknown;
  const units = isReady ? unitsRequest(chosen, fields) : null;
  const list = useAnswer<UnitRows>(
    units === null ? null : { ...units, query: { ...units.query, limit: UNITS_OF_A_PAGE, cursor: cursor || null } },
  );
  if (isUnknown) {
    return (
      <Frame title={say('Datenqualität', 'Data quality')}>
        <LinkRefused
          faults={[{ name: 'regel', value: chosen.regel, why: whyUnknown(chosen.regel, ruleNames.keys()) }]}
        />
      </Frame>
    );
  }
  const watchable = {
    name: `${ruleName}, ${name}`,
    criteria: criteriaOf(chosen),
    savedFilterId: null,
    ...ownSwitch(chosen.portfolio),
  };
  return (
    <KeptPage
      title={say('Datenqualität', 'Data quality')}
      about={[
        chosen.region === null ? null : place,
        chosen.traeger === '' ? null : carrierName(chosen.traeger),
        chosen.netzbetreiber || null,
        chosen.regel === '' ? null : ruleName,
        chosen.portfolio ? OWN_PORTFOLIO : null,
      ]}
      watchables={[watchable]}
      lead={say(
        'Welche Angaben im Register nicht stimmen können, nach offenen Regeln, und welche Einheiten es betrifft: zum Abarbeiten.',
        'Which values in the register cannot be right, by open rules, and which units they concern: to work through.',
      )}
    >
      <div class="choices">
        <RegionPicker label="Region" value={chosen.region} onChange={(next) => choose({ region: next })} />
        <label>
          {say('Energieträger', 'Carrier')}
          <select
            value={chosen.traeger}
            onChange={(event) => choose({ traeger: event.currentTarget.value as typeof chosen.traeger })}
          >
            <option value="">{say('Alle', 'All')}</option>
            {CARRIERS.map((carrier) => (
              <option key={carrier} value={carrier}>
                {carrierName(carrier)}
              </option>
            ))}
          </select>
        </label>
        <div class="region-picker">
          <ValueSearch
            set="netzbetreiber"
            label={say('Netzbetreiber', 'Grid operator')}
            carriers={chosen.traeger || null}
            text={chosen.netzbetreiber}
            onChoose={({ value }) => choose({ netzbetreiber: value })}
            onEscape={() => chosen.netzbetreiber !== '' && choose({ netzbetreiber: '' })}
          />
          {chosen.netzbetreiber !== '' && (
            <button
              type="button"
              class="clear"
              aria-label={say('Netzbetreiber: zurück zu allen', 'Grid operator: back to all')}
              onClick={() => choose({ netzbetreiber: '' })}
            >
              ×
            </button>
          )}
        </div>
        <label>
          {say('Regel', 'Rule')}
          <select value={chosen.regel} onChange={(event) => choose({ regel: event.currentTarget.value })}>
            <option value="">{say('Alle, ohne Hinweise', 'All, without notes')}</option>
            {chosen.regel !== '' && !ruleNames.has(chosen.regel) && (
              <option value={chosen.regel}>{chosen.regel}</option>
            )}
            {known.map((rule) => (
              <option key={rule.regel} value={rule.regel}>
                {rule.name} ({count(rule.count)})
              </option>
            ))}
          </select>
        </label>
        <OwnSwitch value={chosen.portfolio} onChange={(portfolio) => choose({ portfolio })} />
      </div>
      <QualityFacts loaded={rules} />
      <WorkFigure
        loaded={listOf(loadedCatalogue, rules, list)}
        request={units}
        title={say(`Zum Abarbeiten: ${ruleName}, ${name}`, `To work through: ${ruleName}, ${name}`)}
        rule={chosen.regel}
        ruleNames={ruleNames}
        catalogue={catalogue}
        place={{
          cursor: cursor || null,
          page: seite,
          change: (to) => change({ cursor: to.cursor ?? '', seite: Number(to.seite ?? 1) }),
        }}
      />
      <RulesFigure loaded={rules} request={request} name={name} chosen={chosen.regel} />
      {(known.length > 0 || chosen.regel === '') && <HistoryFigure rule={chosen.regel} ruleName={ruleName} />}
    </KeptPage>
  );
}

function nameOf({ traeger, netzbetreiber, portfolio }: Chosen, place: string): string {
  const parts = [
    ...(portfolio ? [say('mein Portfolio', 'my portfolio')] : []),
    place,
    ...(traeger === '' ? [] : [carrierName(traeger)]),
  ];
  return [...parts, ...(netzbetreiber === '' ? [] : [netzbetreiber])].join(', ');
}

/** The list waits for catalogue and rules, which say what is read of units. */
function listOf(catalogue: Loaded<unknown>, rules: Loaded<unknown>, list: Loaded<UnitRows>): Loaded<UnitRows> {
  for (const before of [catalogue, rules]) {
    if (before.state === 'failed') return before;
    if (before.state === 'loading' && before.previous === null) return { ...before, previous: null };
  }
  return list;
}

function QualityFacts({ loaded }: { loaded: Loaded<QualityRules> }) {
  const answer = shown(loaded);
  const conspicuous = answer?.meta.auffaellig ?? null;
  if (answer === null || conspicuous === null || loaded.state === 'failed') return null;
  const { einheiten } = answer.meta;
  return (
    <Facts
      facts={[
        {
          name: say('Auffällige Einheiten', 'Units with anomalies'),
          value: count(conspicuous.count),
          more: say(
            `${share(einheiten === 0 ? null : conspicuous.count / einheiten)} von ${unitCount(einheiten)}`,
            `${share(einheiten === 0 ? null : conspicuous.count / einheiten)} of ${unitCount(einheiten)}`,
          ),
        },
        {
          name: say('Ihre Bruttoleistung laut Register', 'Their gross power by the register'),
          value: power(conspicuous.bruttoleistungKw),
        },
      ]}
    />
  );
}

function whyUnknown(rule: string, known: Iterable<string>): string {
  const near = nearest(rule, known);
  return say(
    `verlangt eine Regel der Liste${near === null ? '' : `; gemeint ist vielleicht „${near}“`}`,
    `takes a rule of the list${near === null ? '' : `; “${near}” may be meant`}`,
  );
}
