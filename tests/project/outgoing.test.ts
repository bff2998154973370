import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '#support/files/folders.ts';

const RECORDER = new URL('../support/processes/record-outgoing.ts', import.meta.url).pathname;

/** Each asks for a name of its own. */
const WAYS = `
  import { createSocket } from 'node:dgram';
  import { Resolver, lookup, promises } from 'node:dns';
  import { request } from 'node:https';
  import { Socket, connect } from 'node:net';
  import { connect as connectTls } from 'node:tls';
  const asked = (start) => new Promise((resolve) => start().on('error', resolve));
  await fetch('http://fetch.example/').catch(() => undefined);
  await asked(() => request('https://request.example/').end());
  await asked(() => connect(25, 'net.example'));
  await asked(() => connect({ host: 'options.example', port: 5432 }));
  await asked(() => new Socket().connect(80, '203.0.113.9'));
  await asked(() => connectTls(443, 'tls.example'));
  await new Promise((resolve) => lookup('lookup.example', resolve));
  await promises.lookup('promise.example').catch(() => undefined);
  await new Promise((resolve) => new Resolver().resolve4('resolver.example', resolve));
  let datagrams = 'allowed';
  try { createSocket('udp4'); } catch { datagrams = 'refused'; }
  await asked(() => connect(1, '127.0.0.1'));
  await asked(() => connect(1, 'named.test'));
  console.log(datagrams);
`;

test('W4: every way to another machine is seen and refused, and this machine is reached', async () => {
  const file = join(await makeFolder(), 'outgoing');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', RECORDER, '--input-type=module', '--eval', WAYS],
    { env: { PATH: process.env['PATH'], OUTGOING_FILE: file }, encoding: 'utf8' },
  );
  expect([stdout.trim(), stderr]).toEqual(['refused', '']);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual([
    'fetch.example:80',
    'request.example:443',
    'net.example:25',
    'options.example:5432',
    '203.0.113.9:80',
    'tls.example:443',
    'lookup.example',
    'promise.example',
    'resolver.example',
    'named.test:1',
  ]);
});
