import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('../../../server/platform/idle-memory.ts', import.meta.url).href;

/** Ends once the process has returned half of what it no longer uses, or after 20 seconds. */
const PROGRAM = `
import { Session } from 'node:inspector/promises';
import { collectWhenIdle } from ${JSON.stringify(MODULE)};
let collections = 0;
const { post } = Session.prototype;
Session.prototype.post = function (...call) {
  collections += 1;
  return post.apply(this, call);
};
const readMib = () => process.memoryUsage.rss() / 1024 ** 2;
const startMib = readMib();
let list = Array.from({ length: 2_000_000 }, (_, index) => ({ index }));
const work = setInterval(() => list.reduce((sum, { index }) => sum + index, 0), 5);
collectWhenIdle(200);
setTimeout(() => {
  const whileBusy = collections;
  // The work has taken more than the list itself.
  const fullMib = readMib();
  list = [];
  clearInterval(work);
  const end = (isReturned) => {
    console.log(JSON.stringify({ grownMib: fullMib - startMib, whileBusy, isReturned }));
    process.exit();
  };
  setInterval(() => readMib() < (startMib + fullMib) / 2 && end(true), 50);
  setTimeout(end, 20_000, false);
}, 1_000);
`;

it('a process returns the memory of its last load once it is idle, and collects nothing before', async () => {
  const program = ['--input-type=module', '--eval', PROGRAM];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, program);
  const { grownMib, ...found } = JSON.parse(stdout) as { grownMib: number };
  expect(grownMib).toBeGreaterThan(40);
  expect(found).toEqual({ whileBusy: 0, isReturned: true });
  expect(stderr).toBe('');
});
