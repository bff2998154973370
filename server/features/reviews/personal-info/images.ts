import { buffer } from 'node:stream/consumers';
import { toDataKeyKey, toPersonalInfoImageKey } from '../../../media/object-keys.ts';
import type { Platform } from '../../../platform/http/context.ts';
import {
  UnopenableSealError,
  makeDataKey,
  openDataKey,
  readKeyId,
  seal,
  sealDataKey,
  unseal,
} from '../../../platform/crypto/sealed.ts';
import type { OpeningKeys } from '../../../platform/crypto/sealed-keys.ts';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import type { ReviewsOptions } from '../options.ts';

/** The context of an image; the seal cannot be opened with any other. */
export interface Belonging {
  readonly submissionId: string;
  readonly userId: string;
}

/** The plain image and its data key only exist in memory; this process cannot open what it stores. */
export async function storeImage(
  { storage, personalInfoKey }: Pick<Platform, 'storage'> & Pick<ReviewsOptions, 'personalInfoKey'>,
  belonging: Belonging,
  image: Uint8Array,
): Promise<void> {
  const { submissionId } = belonging;
  const context = toContext(belonging);
  const dataKey = makeDataKey();
  const sealed = seal(dataKey, image, context);
  const sealedKey = sealDataKey(personalInfoKey, dataKey, context);
  dataKey.fill(0);
  // The key is stored first, so that there is never an image without it.
  await storage.put(toDataKeyKey(submissionId), sealedKey);
  await storage.put(toPersonalInfoImageKey(submissionId), sealed);
}

/** An image as it is stored, and the data key that opens it, itself sealed to the staff's public key. */
export interface SealedImage {
  readonly sealed: Buffer;
  /** null if it is not in the storage. */
  readonly sealedKey: Buffer | null;
}

/** What the browser of the staff opens. Throws `MissingObjectError`. */
export async function readSealedImage(
  { storage }: Pick<Platform, 'storage'>,
  submissionId: string,
): Promise<SealedImage> {
  const sealed = await buffer(await storage.open(toPersonalInfoImageKey(submissionId)));
  return { sealed, sealedKey: (await findDataKey({ storage }, submissionId)) ?? null };
}

/** Returns a JPEG. Throws `MissingObjectError`, or `UnopenableSealError` when its private key is missing. */
export async function openImage(
  { storage, openingKeys }: Pick<Platform, 'storage'> & { readonly openingKeys: OpeningKeys },
  belonging: Belonging,
): Promise<Buffer> {
  const { submissionId } = belonging;
  const context = toContext(belonging);
  const sealed = await buffer(await storage.open(toPersonalInfoImageKey(submissionId)));
  const sealedKey = await buffer(await storage.open(toDataKeyKey(submissionId)));
  const dataKey = openDataKey(openingKeys, sealedKey, context);
  return unseal(dataKey, sealed, context);
}

/**
 * - `no-data-key`: its data key is not in the storage.
 * - `no-private-key`: none of the private keys opens its data key.
 * - `damaged`: image or data key have been altered.
 */
export type ImageFault = 'no-data-key' | 'no-private-key' | 'damaged';

/**
 * Why an image cannot be viewed; undefined if it can be, or does not exist. The plain image only exists in memory.
 * `openingKeys` are null if they are stored elsewhere: then only the stored files are checked.
 */
export async function examineImage(
  { storage, openingKeys }: Pick<Platform, 'storage'> & { readonly openingKeys: OpeningKeys | null },
  belonging: Belonging,
): Promise<ImageFault | undefined> {
  const { submissionId } = belonging;
  try {
    const { sealedKey } = await readSealedImage({ storage }, submissionId);
    if (sealedKey === null) return 'no-data-key';
    const keyId = readKeyId(sealedKey);
    if (openingKeys === null) return undefined;
    if (openingKeys.find(keyId) === undefined) return 'no-private-key';
    (await openImage({ storage, openingKeys }, belonging)).fill(0);
    return undefined;
  } catch (error) {
    if (error instanceof MissingObjectError) return undefined;
    if (error instanceof UnopenableSealError) return 'damaged';
    throw error;
  }
}

/** The id of the key that opens an image; undefined if none is stored. */
export async function findImageKeyId(
  deps: Pick<Platform, 'storage'>,
  submissionId: string,
): Promise<Buffer | undefined> {
  const sealedKey = await findDataKey(deps, submissionId);
  return sealedKey && readKeyId(sealedKey);
}

async function findDataKey(
  { storage }: Pick<Platform, 'storage'>,
  submissionId: string,
): Promise<Buffer | undefined> {
  try {
    return await buffer(await storage.open(toDataKeyKey(submissionId)));
  } catch (error) {
    if (error instanceof MissingObjectError) return undefined;
    throw error;
  }
}

/** Destroys the data key first: without it the image is unreadable. */
export async function destroyImage(
  { storage }: Pick<Platform, 'storage'>,
  submissionId: string,
  objectKey: string,
): Promise<void> {
  await storage.delete(toDataKeyKey(submissionId));
  await storage.delete(objectKey);
}

export function toContext({ submissionId, userId }: Belonging): string {
  return `personal-info ${submissionId} ${userId}`;
}
