/**
 * A process that sends requests from one address of this machine over several connections, as fast as they are
 * answered: `node bench/attacks/client.ts PORT ADDRESS CONNECTIONS MILLISECONDS PAUSE TARGET`. `TARGET` may contain
 * `{random}` and the letters of random-searches.ts. Prints one line of JSON: the count of each status, and the response times p50 and p95 in milliseconds.
 */
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fillIn } from './random-searches.ts';

const [port = '', localAddress = '', connections = '1', ms = '1000', pauseMs = '0', target = '/'] =
  process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const statuses: Record<string, number> = {};
const times: number[] = [];
const end = performance.now() + Number(ms);

function ask(): Promise<string> {
  const named = target.replaceAll('{random}', () => Math.random().toString(36).slice(2));
  const path = encodeURI(fillIn(named));
  return new Promise((resolve) => {
    const options = { port: Number(port), host: '127.0.0.1', path, localAddress, agent, timeout: 20_000 };
    const asked = get(options, (res) => {
      res.resume();
      res.once('close', () => resolve(String(res.statusCode)));
    });
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    asked.once('timeout', () => asked.destroy());
  });
}

async function visit(): Promise<void> {
  while (performance.now() < end) {
    const begunAt = performance.now();
    const status = await ask();
    times.push(performance.now() - begunAt);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (Number(pauseMs) > 0) await wait(Number(pauseMs));
  }
}

await Promise.all(Array.from({ length: Number(connections) }, visit));
times.sort((a, b) => a - b);
const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
console.log(JSON.stringify({ statuses, p50: at(0.5), p95: at(0.95) }));
process.exit(0);
