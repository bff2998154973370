import {
  type ReviewedApplication,
  type WaitingApplication,
  getApplication,
  listApplications,
  reviewApplication,
} from '../../../../contract/operator/operator.ts';
import { callApi } from '../../../api/browser.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { FRESH_MS, createDesk } from '../desk/desk.ts';

/** How often an application is read again while its files are being decoded. */
const DECODING_POLL_MS = 2_000;

/** Quality checks, one application at a time. */
export const reviewDesk = createDesk<WaitingApplication, ReviewedApplication>({
  list: async (signal) => (await callApi(listApplications, { signal })).results,
  read: (id, signal) => callApi(getApplication, { params: { id }, signal }),
  prepare:
    (_, { id }, body) =>
    async () =>
      void (await callApi(reviewApplication, { params: { id }, body, keepalive: true })),
  // The addresses of its files are valid for ten minutes.
  toRereadMs: ({ files }) => (files.some(({ analysis }) => analysis === null) ? DECODING_POLL_MS : FRESH_MS),
});

/** Puts the application aside and shows the next one, or puts it back, where it stays on the screen. */
export async function togglePark(): Promise<void> {
  const desk = reviewDesk.$desk.get();
  const waiting = desk.queue[desk.index];
  const allowed = reviewDesk.$current.get()?.allowed ?? [];
  const action = allowed.find((each) => each === 'park' || each === 'unpark');
  if (waiting === undefined || action === undefined) return;
  const isParking = action === 'park';
  // At once, so that the next key applies to the application on the screen.
  if (isParking) reviewDesk.replace({ ...waiting, is_parked: true }, desk.queue.length - 1);
  const isDone = await attempt(
    () => callApi(reviewApplication, { params: { id: waiting.id }, body: { action } }),
    { done: isParking ? `${waiting.username} さんをあとに回しました` : '順番に戻しました' },
  );
  if (!isDone) {
    if (isParking) reviewDesk.replace(waiting, desk.index);
    return;
  }
  if (!isParking) reviewDesk.replace({ ...waiting, is_parked: false });
  // What the server allows has changed.
  await reviewDesk.read(waiting.id);
}
