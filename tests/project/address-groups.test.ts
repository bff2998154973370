import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Where an address group is used for other purposes than a limit, or a limit is divided in another way. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/platform/http/address-limits.ts': 'the mechanism itself',
  'server/web/handler.ts': 'a share of the connections to the database, in turn',
  'server/web/access-log.ts': 'names the network in the log; lines are counted for it',
  'server/web/connections.ts': 'a share of the connections',
  'server/features/visitors/addresses.ts': 'hashes; rules of downloads count network and provider beside it',
  'server/features/reports/submission.ts':
    'whose report makes room first within a network that is at its limit',
  'server/features/statistics/repeats.ts': 'what repeats; its network is limited beside it',
};

/** A service that counts such a limit itself would count one group of the address. */
const TAKES = /\brateLimits\.(?:take|acquire)\([^;]*?\b(?:address|host|network|provider)\b/;
const TAKES_ALLOWED: Readonly<Record<string, string>> = {
  'server/features/reports/submission.ts': 'a mailbox from one network',
};

const files = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ file: `server/${name}`, text: readFileSync(`server/${name}`, 'utf8') }));

test('P11 no limit is counted for a /64 alone: a customer has 65,536 of them', () => {
  const using = files.filter(({ text }) => /\btoAddressGroup\b/.test(text)).map(({ file }) => file);
  expect(using).toContain('server/platform/http/address-limits.ts');
  expect(using.filter((file) => !(file in ALLOWED))).toEqual([]);
});

test('P11 no service counts an address without its network and provider', () => {
  const taking = files.filter(({ text }) => TAKES.test(text)).map(({ file }) => file);
  const isMechanism = (file: string) => file.startsWith('server/platform/');
  expect(taking.filter((file) => !isMechanism(file) && !(file in TAKES_ALLOWED))).toEqual([]);
});
