/**
 * Kills a hundred processes during uploads, or as many as `UPLOAD_KILLS` says: `node bench/upload-kills.ts`. Exits 1 if
 * a sound is lost or incomplete.
 */
import { spawnSync } from 'node:child_process';

const TEST = 'tests/server/features/my-sounds/upload-crash.test.ts';
const { status } = spawnSync('vitest', ['run', '--project', 'api', TEST], {
  stdio: 'inherit',
  env: { UPLOAD_KILLS: '100', ...process.env },
});
process.exitCode = status ?? 1;
