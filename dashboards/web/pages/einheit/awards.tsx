import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { decimal, NOTHING } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { technologyName } from '../../tenders/technologies.ts';
import type { UnitAward } from '../../v1/unit-answers.ts';
import type { UnitProps } from './unit-props.ts';

const WHENCE: Readonly<Record<string, string>> = {
  register: 'Zuschlagsnummer im Register',
  abgleich: 'Abgleich mit der Zuschlagsliste',
};

/** The tenders in which the unit won an award. */
export function Awards({ unit, catalogue, request }: UnitProps) {
  const { at } = useNavigation();
  const awards = (Array.isArray(unit.ausschreibungen) ? unit.ausschreibungen : []) as readonly UnitAward[];
  const whence = ({ zuordnung, sicherheit }: UnitAward): string => `${WHENCE[zuordnung] ?? zuordnung}, ${sicherheit}`;
  return (
    <Figure
      title="Zuschläge"
      unit={catalogue.byName.get('ausschreibungen')?.beschreibung ?? 'Ausschreibungen mit einem Zuschlag'}
      loaded={{ state: 'ready', value: awards }}
      requests={[request]}
      height={60}
      shows="die Zuschläge"
      table={(all) => ({
        columns: [
          { name: 'Gebotstermin' },
          { name: 'Ausschreibung' },
          { name: 'Technologie' },
          { name: 'Zuschlagsnummer' },
          { name: 'Gebotsmenge', unit: 'kW', numeric: true },
          { name: 'Zuordnung' },
        ],
        rows: all.map((award) => [
          day(award.datum),
          String(award.gebotsterminId),
          technologyName(award.technologie),
          award.zuschlagsnummer,
          award.gebotsmengeKw,
          whence(award),
        ]),
      })}
      empty={(all) => (all.length === 0 ? 'Kein Zuschlag ist bekannt. Das heißt nicht, dass es keinen gab.' : null)}
      plain
    >
      {(all) => (
        <ul class="awards">
          {all.map((award) => (
            <li key={`${award.gebotsterminId} ${award.zuschlagsnummer}`}>
              <a href={at(`ausschreibungen/${award.gebotsterminId}`)}>Gebotstermin {day(award.datum)}</a>
              <dl class="fields">
                <div>
                  <dt>Technologie</dt>
                  <dd>{technologyName(award.technologie)}</dd>
                </div>
                <div>
                  <dt>Zuschlagsnummer</dt>
                  <dd>
                    <bdi>{award.zuschlagsnummer ?? NOTHING}</bdi>
                  </dd>
                </div>
                <div>
                  <dt>Gebotsmenge</dt>
                  <dd>{award.gebotsmengeKw === null ? NOTHING : `${decimal(award.gebotsmengeKw)}\u202fkW`}</dd>
                </div>
                <div>
                  <dt>Zuordnung</dt>
                  <dd>{whence(award)}</dd>
                </div>
              </dl>
            </li>
          ))}
        </ul>
      )}
    </Figure>
  );
}
