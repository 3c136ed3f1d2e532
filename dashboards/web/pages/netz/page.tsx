import { dayOf, oneOf, pageNumber, text, useChoices } from '../../address/address.ts';
import type { LinkFault } from '../../address/link-faults.ts';
import { PAGE_NAMES } from '../../address/page-names.ts';
import { CARRIERS, carrierName } from '../../charts/carriers.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { LinkRefused } from '../../frame/link-refused.tsx';
import { useDayOfRegister } from '../../frame/source.ts';
import { ownSwitch, placeCriteria } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { FIRST_YEAR, LAST_YEAR } from '../../periods/periods.ts';
import { region, unitQuery } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import { useRegionName } from '../../regions/use-region-name.ts';
import { SumFigure } from '../../sums/sum-figure.tsx';
import { ValueSearch } from '../../units/value-search.tsx';
import type { Grid } from '../../v1/grid-answers.ts';
import type { ApiRequest, Query } from '../../v1/request.ts';
import { useAnswer } from '../../v1/use-answer.ts';
import { GridFacts } from './grid-facts.tsx';
import { LevelsFigure } from './levels-figure.tsx';
import { OperatorsFigure } from './operators-figure.tsx';
import { PointsFigure } from './points-figure.tsx';
import { RulesFigure } from './rules-figure.tsx';

export const CHOICES = {
  netzbetreiber: text,
  region,
  traeger: oneOf(['', ...CARRIERS]),
  seit: dayOf(FIRST_YEAR, LAST_YEAR),
  cursor: text,
  seite: pageNumber,
} as const;

/** The grid of an operator: by voltage level and connection point, what can be controlled, what cannot be right, what changed. */
export function Page() {
  const [choices, change] = useChoices(CHOICES);
  const { netzbetreiber: operator, region: place, traeger, seit, cursor, seite } = choices;
  const choose = (next: Partial<typeof choices>): void => change({ ...next, cursor: '', seite: 1 });
  const placeName = useRegionName(place);
  const newest = useDayOfRegister();
  const { bundesland, ...within } = unitQuery(place);
  const filters: Query = {
    ...within,
    ...(bundesland === undefined ? {} : { bundesland: [String(bundesland)] }),
    ...(traeger === '' ? {} : { einheitTyp: [traeger] }),
  };
  const query: Query = { netzbetreiber: [operator], ...filters };
  const request: ApiRequest = { path: '/v1/netz', query };
  const loaded = useAnswer<Grid>(operator === '' ? null : request);
  const unknown = loaded.state === 'ready' ? unknownOperators(loaded.value, operator) : [];
  const isKnown = operator !== '' && unknown.length === 0;
  const narrowed = [place === null ? null : placeName, traeger === '' ? null : carrierName(traeger)];
  const name = [operator, ...narrowed].filter((part) => part !== null && part !== '').join(', ');
  return (
    <KeptPage
      title={PAGE_NAMES.netz}
      about={[operator || null, ...narrowed]}
      watchables={
        !isKnown
          ? []
          : [
              {
                name,
                criteria: {
                  ...placeCriteria(place, traeger === '' ? CARRIERS : [traeger]),
                  netzbetreiber: [operator],
                },
                savedFilterId: null,
                ...ownSwitch(false),
              },
            ]
      }
      lead={say(
        'Was an einem Netz hängt: nach Spannungsebene und Anschlusspunkt, was sich fernsteuern lässt, was nicht stimmen kann und was sich geändert hat.',
        'What a grid has: by voltage level and connection point, what can be controlled remotely, what cannot be right, and what changed.',
      )}
    >
      <div class="choices">
        <div class="region-picker">
          <ValueSearch
            set="netzbetreiber"
            label={say('Netzbetreiber', 'Grid operator')}
            carriers={traeger || null}
            text={operator}
            onChoose={({ value }) => choose({ netzbetreiber: value })}
            onEscape={() => operator !== '' && choose({ netzbetreiber: '' })}
          />
          {operator !== '' && (
            <button
              type="button"
              class="clear"
              aria-label={say('Netzbetreiber: zurück zur Liste', 'Grid operator: back to the list')}
              onClick={() => choose({ netzbetreiber: '' })}
            >
              ×
            </button>
          )}
        </div>
        <RegionPicker label="Region" value={place} onChange={(next) => choose({ region: next })} />
        <label>
          {say('Energieträger', 'Carrier')}
          <select
            value={traeger}
            onChange={(event) => choose({ traeger: event.currentTarget.value as typeof traeger })}
          >
            <option value="">{say('Alle', 'All')}</option>
            {CARRIERS.map((carrier) => (
              <option key={carrier} value={carrier}>
                {carrierName(carrier)}
              </option>
            ))}
          </select>
        </label>
        {operator !== '' && (
          <label>
            {say('Geändert seit', 'Changed since')}
            <input
              type="date"
              value={seit ?? ''}
              max={newest ?? undefined}
              onChange={(event) => choose({ seit: event.currentTarget.value || null })}
            />
          </label>
        )}
      </div>
      {operator === '' ? (
        <OperatorsFigure query={filters} narrowed={narrowed} />
      ) : unknown.length > 0 ? (
        <LinkRefused faults={unknown} />
      ) : (
        <>
          <GridFacts loaded={loaded} />
          <LevelsFigure {...{ loaded, request, name }} />
          <PointsFigure
            query={query}
            name={name}
            place={{
              cursor: cursor || null,
              page: seite,
              change: (to) => change({ cursor: to.cursor ?? '', seite: Number(to.seite ?? 1) }),
            }}
          />
          <RulesFigure {...{ loaded, request, name, operator }} />
          <SumFigure
            request={{ path: '/v1/aenderungen/summe', query: { ...query, von: seit } }}
            measure="mw"
            name={seit === null ? name : say(`${name}, seit ${day(seit)}`, `${name}, since ${day(seit)}`)}
          />
        </>
      )}
    </KeptPage>
  );
}

/** A grid of nobody would look like one without units. */
const unknownOperators = ({ meta }: Grid, operator: string): readonly LinkFault[] =>
  (meta.hinweise ?? [])
    .filter(({ parameter }) => parameter === 'netzbetreiber')
    .map(({ vorschlag }) => ({
      name: 'netzbetreiber',
      value: operator,
      why: [
        say(
          'nennt keinen Netzbetreiber, der im Register Einheiten hat',
          'names no grid operator with units in the register',
        ),
        ...(vorschlag === undefined
          ? []
          : [say(`gemeint ist vielleicht „${vorschlag}“`, `“${vorschlag}” may be meant`)]),
      ].join('; '),
    }));
