/** A process that upgrades the data of its settings, reports each stage, and hangs in the named one. */
import { upgradeData } from '#server/operator/upgrade.ts';
import { parseSettings } from '#server/settings.ts';

const hangsAt = process.argv[2];
await upgradeData(parseSettings(process.env), {
  hasRestorePoint: false,
  signal: new AbortController().signal,
  print: () => undefined,
  async onStage(stage) {
    process.send?.(stage);
    if (stage === hangsAt) await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
});
process.disconnect();
