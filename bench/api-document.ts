/**
 * Judges the document of the API from outside: `node bench/api-document.ts`. Four validators that share no code read it,
 * and clients that are generated from it in TypeScript and Python call a host. What needs Python is left out where
 * Python or a package of it is missing. Exits 1 if anything fails.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openExampleHost } from './api-document/host.ts';
import { writePythonClient } from './api-document/python.ts';
import { VALIDATORS } from './api-document/validators.ts';

const PYTHON_VALIDATOR = 'bench/api-document/validate.py';
const PROGRAM_MS_MAX = 120_000;
const TYPESCRIPT_CLIENT = 'tests/server/features/api-docs/client.test.ts';

const run = promisify(execFile);
let hasFailed = false;
const folder = await mkdtemp(join(tmpdir(), 'bench-api-document-'));
const host = await openExampleHost(join(folder, 'data'));
try {
  const text = await (await fetch(`${host.url}/api/openapi.json`)).text();
  console.log(`the document: ${Buffer.byteLength(text)} bytes`);
  for (const [name, validate] of Object.entries(VALIDATORS)) report(name, await validate(text));

  const file = join(folder, 'openapi.json');
  await writeFile(file, text);
  await runPython('openapi-spec-validator (Python)', ['openapi_spec_validator'], [PYTHON_VALIDATOR, file]);

  const client = await writePythonClient(folder, text);
  await runPython('client in Python', ['dateutil'], [client], {
    API: host.url,
    EMAIL: host.email,
    PASSWORD: host.password,
  });
} finally {
  await host.close();
  await rm(folder, { recursive: true, force: true });
}
report('client in TypeScript', await findFailure('vitest', ['run', '--project', 'api', TYPESCRIPT_CLIENT]));
process.exitCode = hasFailed ? 1 : 0;

function report(name: string, problems: readonly string[]): void {
  hasFailed ||= problems.length > 0;
  console.log(`${name}: ${problems.length === 0 ? 'no problem' : problems.join('\n  ')}`);
}

/** The output of a program that fails; [] if it succeeds. Asynchronous, because the host runs in this process. */
async function findFailure(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  try {
    await run(program, args, { env: { ...process.env, ...env }, timeout: PROGRAM_MS_MAX });
    return [];
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return `${stdout}${stderr}`.trim().split('\n').concat(message);
  }
}

/** Runs a program in Python, if these packages are installed. */
async function runPython(
  name: string,
  packages: readonly string[],
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<void> {
  const missing = await findFailure('python3', ['-c', `import ${packages.join(', ')}`]);
  if (missing.length === 0) report(name, await findFailure('python3', args, env));
  else console.log(`${name}: left out, python3 with ${packages.join(', ')} is not installed`);
}
