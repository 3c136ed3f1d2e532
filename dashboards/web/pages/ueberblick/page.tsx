import { ownFlag, someOf, useChoices } from '../../address/address.ts';
import { CARRIERS } from '../../charts/carriers.ts';
import { Age } from '../../figures/age.tsx';
import { Growth } from '../../figures/growth.tsx';
import { NewestUnits } from '../../figures/newest-units.tsx';
import { SnapshotCards } from '../../figures/snapshot.tsx';
import { Stock } from '../../figures/stock.tsx';
import { useSpan } from '../../figures/use-span.ts';
import { say } from '../../format/language.ts';
import { placeWatchable } from '../../keep/kept.ts';
import { KeptPage } from '../../keep/kept-page.tsx';
import { region } from '../../regions/region.ts';
import { RegionPicker } from '../../regions/region-picker.tsx';
import { useRegionName } from '../../regions/use-region-name.ts';
import { OWN_PORTFOLIO, OwnSwitch, ownName } from '../../units/own-switch.tsx';
import { DataNote } from './data-note.tsx';

export const CHOICES = { region, traeger: someOf(CARRIERS), portfolio: ownFlag };

export function Page() {
  const [{ region: chosen, traeger, portfolio }, change] = useChoices(CHOICES);
  const name = useRegionName(chosen);
  const span = useSpan();
  const place = { region: chosen, name: ownName(name, portfolio), own: portfolio };
  return (
    <KeptPage
      title={
        chosen === null
          ? say('Energieanlagen in Deutschland', 'Energy assets in Germany')
          : say('Energieanlagen', 'Energy assets')
      }
      about={[chosen === null ? null : name, portfolio ? OWN_PORTFOLIO : null]}
      lead={say(
        'Was in Betrieb ist, was dazukommt und was geplant ist, aus dem Marktstammdatenregister.',
        'What is in operation, what is added and what is planned, from the Marktstammdatenregister.',
      )}
      watchables={[placeWatchable(chosen, name, { own: portfolio })]}
      tools={
        <div class="choices">
          <RegionPicker label="Region" value={chosen} onChange={(next) => change({ region: next })} />
          <OwnSwitch value={portfolio} onChange={(next) => change({ portfolio: next })} />
        </div>
      }
    >
      <SnapshotCards place={place} span={span} />
      <div class="tiles">
        <Growth place={place} span={span} carriers={traeger} onCarriers={(next) => change({ traeger: next })} />
        <Stock place={place} />
        <Age place={place} />
        <NewestUnits place={place} />
      </div>
      <DataNote />
    </KeptPage>
  );
}
