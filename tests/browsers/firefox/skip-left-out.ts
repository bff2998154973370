import { relative } from 'node:path';
import { beforeEach } from 'vitest';
import { findLeftOut } from './left-out.ts';

beforeEach(({ task, skip }) => {
  const file = relative('tests/browser', task.file.filepath);
  const found = findLeftOut(`${file} > ${task.fullTestName}`);
  if (found) skip(found.reason);
});
