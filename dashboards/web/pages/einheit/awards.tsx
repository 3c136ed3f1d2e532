import { useNavigation } from '../../address/address.ts';
import { day } from '../../format/dates.ts';
import { say } from '../../format/language.ts';
import { decimal, NOTHING } from '../../format/numbers.ts';
import { Figure } from '../../frame/figure.tsx';
import { technologyName } from '../../tenders/technologies.ts';
import type { UnitAward } from '../../v1/unit-answers.ts';
import type { UnitProps } from './unit-props.ts';

const WHENCE: Readonly<Record<string, string>> = {
  register: say('Zuschlagsnummer im Register', 'Award number in the register'),
  abgleich: say('Abgleich mit der Zuschlagsliste', 'Comparison with the list of awards'),
};

/** The tenders in which the unit won an award. */
export function Awards({ unit, catalogue, request }: UnitProps) {
  const { at } = useNavigation();
  const awards = (Array.isArray(unit.ausschreibungen) ? unit.ausschreibungen : []) as readonly UnitAward[];
  const whence = ({ zuordnung, sicherheit }: UnitAward): string => `${WHENCE[zuordnung] ?? zuordnung}, ${sicherheit}`;
  return (
    <Figure
      title={say('Zuschläge', 'Awards')}
      unit={
        catalogue.byName.get('ausschreibungen')?.beschreibung ??
        say('Ausschreibungen mit einem Zuschlag', 'Tenders with an award')
      }
      loaded={{ state: 'ready', value: awards }}
      requests={[request]}
      height={60}
      shows={say('die Zuschläge', 'the awards')}
      table={(all) => ({
        columns: [
          { name: say('Gebotstermin', 'Bid date') },
          { name: say('Ausschreibung', 'Tender') },
          { name: say('Technologie', 'Technology') },
          { name: say('Zuschlagsnummer', 'Award number') },
          { name: say('Gebotsmenge', 'Volume'), unit: 'kW', numeric: true },
          { name: say('Zuordnung', 'Link') },
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
      empty={(all) =>
        all.length === 0
          ? say(
              'Kein Zuschlag ist bekannt. Das heißt nicht, dass es keinen gab.',
              'No award is known. This does not mean that there was none.',
            )
          : null
      }
      plain
    >
      {(all) => (
        <ul class="awards">
          {all.map((award) => (
            <li key={`${award.gebotsterminId} ${award.zuschlagsnummer}`}>
              <a href={at(`ausschreibungen/${award.gebotsterminId}`)}>
                {say('Gebotstermin ', 'Bid date ')}
                {day(award.datum)}
              </a>
              <dl class="fields">
                <div>
                  <dt>{say('Technologie', 'Technology')}</dt>
                  <dd>{technologyName(award.technologie)}</dd>
                </div>
                <div>
                  <dt>{say('Zuschlagsnummer', 'Award number')}</dt>
                  <dd>
                    <bdi>{award.zuschlagsnummer ?? NOTHING}</bdi>
                  </dd>
                </div>
                <div>
                  <dt>{say('Gebotsmenge', 'Volume')}</dt>
                  <dd>{award.gebotsmengeKw === null ? NOTHING : `${decimal(award.gebotsmengeKw)}\u202fkW`}</dd>
                </div>
                <div>
                  <dt>{say('Zuordnung', 'Link')}</dt>
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
