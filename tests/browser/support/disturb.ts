/**
 * What makes tests meet a slow machine and a slow network. `DISTURB_CPU=4` makes the processor of each page four times
 * slower. `DISTURB_REPLIES=400` answers each call, document and script up to 400 ms later, by a time from the seed of the
 * run, on every server of this process.
 */
import { Server } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { BrowserContext } from 'playwright-core';
import { SEED } from '#support/depth.ts';

const slowdown = Number(process.env['DISTURB_CPU'] ?? 1);
const delayMaxMs = Number(process.env['DISTURB_REPLIES'] ?? 0);

export function slowPages(context: BrowserContext): void {
  if (slowdown === 1) return;
  context.on('page', async (page) => {
    const session = await context.newCDPSession(page).catch(() => null);
    await session?.send('Emulation.setCPUThrottlingRate', { rate: slowdown }).catch(() => undefined);
  });
}

let seed = SEED;
/** The minimal standard generator of Park and Miller. */
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

const isDelayed = ({ url = '', headers }: IncomingMessage) =>
  /^\/(api|_astro)\//.test(url) || ['document', 'iframe'].includes(String(headers['sec-fetch-dest']));

if (delayMaxMs > 0) {
  const { emit } = Server.prototype;
  Server.prototype.emit = function emitLater(this: Server, ...event: [string, ...unknown[]]): boolean {
    const send = () => Reflect.apply(emit, this, event) as boolean;
    if (event[0] !== 'request' || !isDelayed(event[1] as IncomingMessage)) return send();
    setTimeout(send, random() * delayMaxMs);
    return true;
  };
}
