/**
 * The process that decodes pictures. Its main thread cleans the file, which is quick, and watches while the library
 * decodes on threads of its own: it reports a picture that takes too much, and the server kills the process.
 */
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import sharp from 'sharp';
import { beChild } from '../child-duties.ts';
import { UnusablePictureError } from './faults.ts';
import type { PictureFault } from './faults.ts';
import { doPictureWork } from './work.ts';
import type { Outcome, PictureFile, PictureReply, PictureRequest } from './work.ts';

const MIB = 1024 * 1024;
/** The largest accepted picture takes a second on our own machines; only hostile files take longer. */
const PROCESSOR_MS_MAX = 2_500;
/**
 * In all, beside what an idle process takes: a photograph with as many coefficients as are allowed needs 115 MiB, and the
 * watch is a few MiB late.
 */
const MEMORY_BYTES_MAX = 136 * MIB;
/** More than this at the end of a picture is returned by ending the process. */
const IDLE_BYTES_MAX = 12 * MIB;
const WATCH_EVERY_MS = 20;

beChild();
// One thread per picture, no cache of decoded pictures.
sharp.concurrency(1);
sharp.cache(false);
/** Returns the memory of a large file, which would otherwise count for the next picture. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const baseBytes = process.memoryUsage.rss();

process.on('message', (request: PictureRequest) => {
  const begun = process.cpuUsage();
  const countMemory = () => process.memoryUsage.rss() - baseBytes;
  const answer = (reply: Outcome, isUnderWay: boolean) => {
    clearInterval(watching);
    if (!isUnderWay && countMemory() > IDLE_BYTES_MAX) {
      // The second waits until the buffers of the first are freed, which another thread does.
      collectGarbage();
      collectGarbage();
    }
    process.send?.({
      ...reply,
      isSpent: isUnderWay || countMemory() > IDLE_BYTES_MAX,
    } satisfies PictureReply);
  };
  const watching = setInterval(() => {
    const { user, system } = process.cpuUsage(begun);
    if (user + system > PROCESSOR_MS_MAX * 1_000) answer(toRefusal('effort', 'it takes too much time'), true);
    else if (countMemory() > MEMORY_BYTES_MAX) answer(toRefusal('memory', 'it takes too much memory'), true);
  }, WATCH_EVERY_MS);
  work(request).then(
    (outcome) => answer(outcome, false),
    () => process.exit(1),
  );
});

async function work(request: PictureRequest): Promise<Outcome> {
  try {
    if ('subject' in request) {
      const { drawShare } = await import('./share-drawing.ts');
      return { state: 'done', pictures: [await drawShare(request.subject, request.picture)] };
    }
    return { state: 'done', pictures: await doPictureWork(await readBytes(request.file), request.task) };
  } catch (error) {
    if (!(error instanceof UnusablePictureError)) throw error;
    return toRefusal(error.fault, error.message);
  }
}

function toRefusal(fault: PictureFault, message: string): Outcome {
  return { state: 'refused', fault, message };
}

function readBytes(file: PictureFile): Buffer | Promise<Buffer> {
  if (!(file instanceof Uint8Array)) return readFile(file.path);
  return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
}
