import type { BareCommand } from '../command.ts';
import { Refusal, UsageError } from '../refusals.ts';
import { upgradeData } from '../upgrade.ts';

export const upgrade: BareCommand = {
  flags: ['without-restore-point'],
  about:
    'after installing a new version, migrate the data to it, or leave it as it was; stop the server first',
  async runBare({ readSettings, flags, print }) {
    const settings = readSettings();
    if (settings.apiOrigin !== null) throw new Refusal(`the data is on another host: ${settings.apiOrigin}`);
    const hasRestorePoint = !flags.has('without-restore-point');
    if (!hasRestorePoint && settings.database.kind === 'sqlite') {
      throw new UsageError('upgrade accepts --without-restore-point only with PostgreSQL');
    }
    const ending = new AbortController();
    const stop = () => ending.abort(new Error('interrupted'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
    try {
      const isMigrated = await upgradeData(settings, { hasRestorePoint, signal: ending.signal, print });
      print(isMigrated ? 'The data is upgraded. Start the server.' : 'The data is already of this version.');
      return 0;
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    }
  },
};
