import type { MemberErasure } from '../member-erasure.ts';
import { retirePicture } from './queries.ts';

export const PICTURES_ERASURE: MemberErasure = {
  async pictures(transaction, { picture_key, background_key }, nowMs) {
    if (picture_key !== null) await retirePicture(transaction, { picture_key, kind: 'avatar' }, nowMs);
    if (background_key !== null)
      await retirePicture(transaction, { picture_key: background_key, kind: 'background' }, nowMs);
  },
};
