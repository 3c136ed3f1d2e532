import { useNavigation } from '../../address/address.ts';
import { say } from '../../format/language.ts';
import { Figure } from '../../frame/figure.tsx';
import { type SignalTexts, signalName } from '../../units/signals.ts';
import type { UnitProps } from './unit-props.ts';

/** The signals that apply, with their meaning. */
export function Signals({ unit, request, signals }: UnitProps & { signals: SignalTexts }) {
  const { at } = useNavigation();
  const ids = Array.isArray(unit.signals) ? unit.signals.map(String) : [];
  const meaningOf = (id: string): string => signals.get(id)?.beschreibung ?? '';
  return (
    <Figure
      title={say('Signale', 'Signals')}
      unit={say(
        'Auffälligkeiten am Tag des Exports, von denen, die der Organisation freigegeben sind',
        'What is noteworthy on the day of the export, of what the organisation may see',
      )}
      loaded={{ state: 'ready', value: ids }}
      requests={[request]}
      height={60}
      shows={say('die Signale', 'the signals')}
      table={(all) => ({
        columns: [{ name: 'Signal' }, { name: say('Bedeutung', 'Meaning') }],
        rows: all.map((id) => [signalName(id, signals), meaningOf(id)]),
      })}
      empty={(all) =>
        all.length === 0 ? say('Kein Signal trifft auf diese Einheit zu.', 'No signal applies to this unit.') : null
      }
      plain
    >
      {(all) => (
        <dl class="signals">
          {all.map((id) => (
            <div key={id}>
              <dt>
                <a
                  href={at('einheiten', { signals: id })}
                  title={say('Alle Einheiten mit diesem Signal', 'All units with this signal')}
                >
                  {signalName(id, signals)}
                </a>
              </dt>
              <dd>{meaningOf(id)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Figure>
  );
}
