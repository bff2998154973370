import { openHost } from '#server/host.ts';
import { parseSettings } from '#server/settings.ts';
import { toOutput } from '#support/http/host.ts';

/** A process that starts a host, tells its parent, and ends. */
const host = await openHost(parseSettings(process.env), toOutput());
process.send?.('started');
await host.close();
process.disconnect();
