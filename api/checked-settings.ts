import { readSettings, type Settings, SettingsError } from '../runtime/settings.ts';
import { mustSuitWorkers, WorkersRefused } from './processes/share.ts';
import { mustHavePublicAddress, PublicAddressRefused } from './public-address.ts';

/** The settings of the service. Where they are not valid, the process says so and ends with exit code 2. */
export function settingsOrExit(): Settings {
  try {
    const settings = readSettings();
    mustHavePublicAddress(settings);
    mustSuitWorkers(settings);
    return settings;
  } catch (error) {
    if (!(error instanceof SettingsError || error instanceof PublicAddressRefused || error instanceof WorkersRefused))
      throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
