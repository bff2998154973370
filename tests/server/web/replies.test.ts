import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { startWeb } from '#support/http/web.ts';
import { sendFile } from '#server/web/replies.ts';

test('a file opened for a client that has disconnected is closed, and no error is reported', async () => {
  const opened: Readable[] = [];
  let left = () => {};
  const isGone = new Promise<void>((resolve) => (left = resolve));
  const sent = Promise.withResolvers<unknown>();
  const web = await startWeb({
    api: (req, res) => {
      const done = sendFile(
        { req, res, requestId: 'x' },
        {
          size: 4,
          etag: '"a"',
          headers: [],
          async content() {
            await waitForClose(res);
            opened.push(Readable.from(['body']));
            return opened[0]!;
          },
        },
      );
      done.then(sent.resolve, sent.reject);
      left();
      return done;
    },
  });
  const controller = new AbortController();
  const answer = fetch(`${web.url}/api/x`, { signal: controller.signal }).catch((error: Error) => error.name);
  await isGone;
  controller.abort();
  expect(await answer).toBe('AbortError');
  await sent.promise;
  expect(opened[0]!.destroyed).toBe(true);
});

function waitForClose(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => (res.destroyed ? resolve() : res.once('close', () => resolve())));
}
