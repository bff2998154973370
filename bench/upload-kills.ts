/**
 * A hundred processes killed in the middle of an upload: `node bench/upload-kills.ts`, or as many as
 * `UPLOAD_KILLS` says. Exits 1 when a sound is lost or half there.
 */
import { spawnSync } from 'node:child_process';

const TEST = 'tests/server/features/sounds-upload-crash.test.ts';
const { status } = spawnSync('vitest', ['run', '--project', 'api', TEST], {
  stdio: 'inherit',
  env: { UPLOAD_KILLS: '100', ...process.env },
});
process.exitCode = status ?? 1;
