import { useNavigation } from '../../address/address.ts';
import { Severity, severityName, severityRank } from '../../figures/severities.tsx';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type RowColumn, RowTable, tableOf } from '../../frame/row-table.tsx';
import { type Loaded, mapLoaded } from '../../v1/loaded.ts';
import type { QualityRule, QualityRules } from '../../v1/quality-answers.ts';
import type { ApiRequest } from '../../v1/request.ts';

/** Lists the rules, the weightiest first, with how many units each names; a click on one chooses it for the page. */
export function RulesFigure({
  loaded,
  request,
  name,
  chosen,
}: {
  loaded: Loaded<QualityRules>;
  request: ApiRequest;
  /** Of what the figures are about. */
  name: string;
  /** Id of the rule that the page is about; '' = all. */
  chosen: string;
}) {
  const { address, at } = useNavigation();
  const { cursor: _, seite: __, ...kept } = Object.fromEntries(address.query);
  const columns = columnsOf(chosen, (regel) => at(address.path, { ...kept, regel }));
  const title = say(`Regeln: ${name}`, `Rules: ${name}`);
  return (
    <Figure
      title={title}
      unit={say(
        'Einheiten, auf die eine Regel zutrifft, und ihre Bruttoleistung laut Register; eine Einheit zählt bei jeder ihrer Regeln',
        'Units to which a rule applies, and their gross power by the register; a unit counts at each of its rules',
      )}
      loaded={mapLoaded(loaded, ({ data }) => inOrder(data))}
      requests={[request]}
      shows={say('die Regeln der Datenqualität', 'the rules of data quality')}
      table={(rules) => tableOf(columns, rules)}
      empty={(rules) =>
        rules.length === 0 ? say('Dieser Dienst kennt keine Regeln.', 'This service knows no rules.') : null
      }
      note={say(
        'Fehler: Die Werte widersprechen einander oder dem Möglichen. Warnung: So ist kaum eine Anlage. Hinweis: lohnt einen Blick, ist aber oft richtig. Nichts wird verborgen oder berichtigt.',
        'Error: the values contradict each other or what is possible. Warning: hardly any unit is so. Note: is worth a look, but often right. Nothing is hidden or corrected.',
      )}
      plain
    >
      {(rules) => (
        <RowTable
          columns={columns}
          rows={rules}
          caption={title}
          idOf={({ regel }) => regel}
          isFaint={({ count }) => count === 0}
        />
      )}
    </Figure>
  );
}

const inOrder = (rules: readonly QualityRule[]): readonly QualityRule[] =>
  rules.toSorted((one, other) => severityRank(one.schwere) - severityRank(other.schwere) || other.count - one.count);

const columnsOf = (chosen: string, hrefOf: (rule: string) => string): readonly RowColumn<QualityRule>[] => [
  {
    name: say('Schwere', 'Severity'),
    value: ({ schwere }) => severityName(schwere),
    show: ({ schwere }) => <Severity id={schwere} />,
  },
  {
    name: say('Regel', 'Rule'),
    value: ({ name }) => name,
    show: ({ regel, name }) => (
      <a class="rule" href={hrefOf(regel)} {...(regel === chosen && { 'aria-current': 'true' })}>
        {name}
      </a>
    ),
  },
  { name: say('Einheiten', 'Units'), numeric: true, digits: 0, value: ({ count }) => count },
  {
    name: say('Leistung', 'Power'),
    unit: 'MW',
    numeric: true,
    digits: 3,
    value: ({ bruttoleistungKw }) => bruttoleistungKw / 1000,
  },
  {
    name: say('Was sie vergleicht', 'What it compares'),
    value: ({ beschreibung }) => beschreibung,
    show: ({ beschreibung }) => <span class="rule-text">{beschreibung}</span>,
  },
  {
    name: say('Worauf sie beruht', 'What it rests on'),
    value: ({ quelle }) => quelle,
    show: ({ quelle }) => <span class="rule-text">{quelle}</span>,
  },
];
