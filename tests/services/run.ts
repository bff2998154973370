/**
 * `npm run services`: the tests of the storage against a real OpenStack Swift, and of mails against a real Exim, both
 * from Debian, on loopback, in a temporary folder. Not a part of `npm test`, because it needs packages of the system.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEximVersion, startExim } from './exim.ts';
import { type Program, readVersion, runVitest, untilInterrupted } from './programs.ts';
import { startSwift } from './swift.ts';

const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached', 'openssl'];
/** Those that use the bucket as the site does: the contract of the storage, start, restore, moves, signed addresses. */
const STORAGE_TESTS = [
  'tests/server/platform/storage/contract.test.ts',
  'tests/server/s3-site.test.ts',
  'tests/server/features/backups/interrupted-restore.test.ts',
  'tests/server/web/media-redirect.test.ts',
];

const found = await Promise.allSettled([...PACKAGES.map(readVersion), readEximVersion()]);
if (found.some(({ status }) => status === 'rejected')) {
  console.error(
    `This needs packages of Debian: apt-get install --no-install-recommends exim4-daemon-light ${PACKAGES.join(' ')}`,
  );
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'services-'));
// Exim delivers as another user where this one is root.
await chmod(folder, 0o755);
const programs: Program[] = [];
await untilInterrupted(async (signal) => {
  try {
    console.log('Starting Swift and Exim …');
    // One after the other: when one does not start, nothing else is still starting.
    const swift = await startSwift(join(folder, 'swift'), programs);
    const exim = await startExim(join(folder, 'exim'), programs);
    console.log(`Swift ${swift.version}, Exim ${exim.version}`);
    const projects = ['--project=api', '--project=services'];
    const files = [...STORAGE_TESTS, 'tests/services/mail.test.ts'];
    const code = await runVitest([...projects, '--testTimeout=300000', ...files, ...process.argv.slice(2)], {
      env: {
        S3_SERVICE: swift.url,
        SMTP_SERVICE: exim.url,
        SMTP_SERVICE_MAILS: exim.mails,
        NODE_EXTRA_CA_CERTS: exim.certificate,
      },
      signal,
    });
    process.exitCode = code ?? 1;
  } finally {
    for (const program of programs) await program.end();
    await rm(folder, { recursive: true, force: true });
  }
});
