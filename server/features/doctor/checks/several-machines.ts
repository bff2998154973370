import { listMissingForMachines } from '../../../platform/storage/local-data.ts';
import { diagnose } from '../check.ts';
import type { Check } from '../check.ts';

/** Only for a site that keeps its files or secrets outside already: one machine alone needs none of these settings. */
export const severalMachines: Check = {
  name: 'several machines',
  priority: 'info',
  stage: 'first',
  consoleText: '複数のサーバーで動かすには設定が足りません',
  async run({ settings }) {
    const missing = listMissingForMachines(settings);
    const isMeant = settings.storage.kind === 's3' || settings.secretKey !== null;
    if (!isMeant || missing.length === 0) return [];
    return [
      diagnose({
        kind: 'local-data',
        found: `For several machines these settings are missing: ${missing.join(', ')}.`,
        meaning: 'DATA_DIR holds data that must be kept, so one machine serves the site.',
        remedy: 'Nothing, for one machine. Otherwise see "Several machines" in docs/operating.md.',
      }),
    ];
  },
};
