import { flushCompileCache } from 'node:module';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { createTestApi } from '#support/http/api.ts';
import { createVisitor } from '#support/sounds/downloads.ts';

/**
 * A process in which a series of visitors download a sound, each from their own network. It tells its
 * parent when an intent is about to be completed and when the answer has come. It begins
 * by repeating the request whose answer the previous process lost, with its visitors' cookies. With `hang` it stops
 * forever between the first completion and its answer.
 */
// For the next process: this one is killed before Node would write the compile cache.
flushCompileCache();
const [place = '', soundId = '', number = '0', unheard = '', end = ''] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const api = createTestApi(database);
const ask = { log: true, provider: 'gpt' } as const;

if (unheard !== '') {
  const { id, cookies, address, nowMs } = JSON.parse(unheard) as Told;
  const visitor = createVisitor(api, { address });
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  api.clock.advance(nowMs - api.clock.now());
  const { status } = await visitor.ask(soundId, { ...ask, intent: id });
  if (status !== 200) throw new Error(String(status));
  process.send?.(['answered', id]);
}
for (let step = 0; ; step += 1) {
  const address = `10.${Number(number)}.${step}.1`;
  const visitor = createVisitor(api, { address });
  const { id } = await visitor.begin(soundId);
  api.clock.advance(5_000);
  process.send?.([
    'asking',
    { id, cookies: [...visitor.cookies], address, nowMs: api.clock.now() } satisfies Told,
  ]);
  const { status } = await visitor.ask(soundId, { ...ask, intent: id });
  if (status !== 200) throw new Error(String(status));
  if (end === 'hang') {
    process.send?.(['completed', id]);
    await new Promise(() => setInterval(() => undefined, 1_000));
  }
  process.send?.(['answered', id]);
}

interface Told {
  readonly id: string;
  readonly cookies: readonly (readonly [string, string])[];
  readonly address: string;
  readonly nowMs: number;
}
