/**
 * `node --import record-outgoing.ts …`: appends each destination of this process to the file OUTGOING_FILE, a line each.
 * Names under `.test` are those of servers of the tests on this machine; all others are refused.
 */
import { appendFileSync } from 'node:fs';
import { steerOutgoing } from '../outgoing.ts';

const file = process.env['OUTGOING_FILE'] ?? '';

steerOutgoing((destination) => {
  appendFileSync(file, `${destination}\n`);
  return /\.test(?::\d+)?$/.test(destination) ? 'here' : 'refuse';
});
