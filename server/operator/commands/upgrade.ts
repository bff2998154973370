import type { BareCommand } from '../command.ts';
import { Refusal } from '../refusals.ts';
import { upgradeData } from '../upgrade.ts';

export const upgrade: BareCommand = {
  takes: { to: 'FILE' },
  about:
    'after installing a new version, back up the data and migrate it, or leave it as it was; stop the server first; --to instead of BACKUP_DIR',
  async runBare({ readSettings, options, print }) {
    const settings = readSettings();
    if (settings.apiOrigin !== null) throw new Refusal(`the data is on another host: ${settings.apiOrigin}`);
    const isMigrated = await upgradeData(settings, { backupTo: options['to'] ?? '', print });
    print(isMigrated ? 'The data is upgraded. Start the server.' : 'The data is already of this version.');
    return 0;
  },
};
