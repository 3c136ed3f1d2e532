import { useNavigation } from '../../address/address.ts';
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
      title="Signale"
      unit="Auffälligkeiten am Tag des Exports, von denen, die der Organisation freigegeben sind"
      loaded={{ state: 'ready', value: ids }}
      requests={[request]}
      height={60}
      shows="die Signale"
      table={(all) => ({
        columns: [{ name: 'Signal' }, { name: 'Bedeutung' }],
        rows: all.map((id) => [signalName(id, signals), meaningOf(id)]),
      })}
      empty={(all) => (all.length === 0 ? 'Kein Signal trifft auf diese Einheit zu.' : null)}
      plain
    >
      {(all) => (
        <dl class="signals">
          {all.map((id) => (
            <div key={id}>
              <dt>
                <a href={at('einheiten', { signals: id })} title="Alle Einheiten mit diesem Signal">
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
