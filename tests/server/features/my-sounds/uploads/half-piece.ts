import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { createTestApi } from '#support/http/api.ts';
import { sendPiece } from '#support/sounds/resumable-uploads.ts';

/** A process that receives the beginning of an upload, in one request that never ends. */
const [place = '', folder = '', artistId = '', address = '', bytes = ''] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const api = createTestApi(database, { storage: await openFolderStorage(folder) });
const chunk = new Uint8Array(64 * 1024).fill(7);
let left = Number(bytes);
const body = new ReadableStream<Uint8Array>({
  pull(controller) {
    const part = chunk.subarray(0, left);
    left -= part.byteLength;
    if (part.byteLength > 0) controller.enqueue(part);
    else setInterval(() => undefined, 1_000); // keeps the process running
  },
});
await sendPiece(api, artistId, address, 0, body);
