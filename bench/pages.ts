/**
 * Measures page loads on a slow phone: `node bench/pages.ts URL [path …]`. Processor slowed down four times, 1.6
 * Mbit/s, 150 ms round trip; the median of several cold loads. Presses are measured in loads of their own.
 */
import { launchChromium } from '../tests/browser/support/launch.ts';
import { median } from './quantiles.ts';
import { type LoadFigures, type PressFigures, measureLoad, measurePress } from './slow-phone.ts';

const RUNS = 7;

const [site = 'http://127.0.0.1:4321', ...paths] = process.argv.slice(2);
const browser = await launchChromium();
console.log(
  '| page | first press takes at | until sound | first paint | largest paint | blocking | with that press | CLS | scripts, bytes |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const path of paths.length > 0 ? paths : ['/sounds', '/', '/member-terms']) {
  const url = new URL(path, site).href;
  const loads: LoadFigures[] = [];
  for (let run = 0; run < RUNS; run += 1) loads.push(await measureLoad(browser, url));
  const presses: PressFigures[] = [];
  while (presses.length < RUNS) {
    const press = await measurePress(browser, url);
    if (press === undefined) break;
    presses.push(press);
  }
  const of = (key: keyof LoadFigures) => median(loads.map((load) => load[key]));
  const ofPress = (key: keyof PressFigures, format = toSeconds) =>
    presses.length > 0 ? format(median(presses.map((press) => press[key]))) : '–';
  console.log(
    `| ${path} | ${ofPress('press')} | ${ofPress('heard')} | ${toSeconds(of('paint'))} | ${toSeconds(of('largest'))} | ${toMs(of('blocking'))} | ${ofPress('blocking', toMs)} | ${of('shift').toFixed(3)} | ${of('scriptBytes')} |`,
  );
}
await browser.close();

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function toMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}
