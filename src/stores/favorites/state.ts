import { memberMap } from '../shared/member-atom.ts';

/** Whether the member has favourited a sound, by its id; absent: not requested yet. */
export const $favorites = memberMap<Record<string, boolean | undefined>>({});
