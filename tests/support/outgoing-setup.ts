/** A test fails when it makes this process connect to, or look up, anything but this machine. */
import { afterEach, expect } from 'vitest';
import { steerOutgoing } from './outgoing.ts';

/** One for all files of a worker, which share its modules. */
const SHARED = Symbol.for('destinations of tests');

const asked = ((globalThis as Record<symbol, string[] | undefined>)[SHARED] ??= watch());

function watch(): string[] {
  const destinations: string[] = [];
  steerOutgoing((destination) => {
    destinations.push(destination);
    return 'refuse';
  });
  return destinations;
}

afterEach(() => {
  expect(asked.splice(0), 'W4: only this machine is asked').toEqual([]);
});
