/** Masks private values on a page while they are not being edited (spec §5). */
const MASK = '*';

/** Hides every character; used for the deposit type. */
export function maskAll(text: string): string {
  return MASK.repeat([...text].length);
}

/** Hides all but the last characters: three of an account number, four of a phone number. */
export function maskAllButLast(text: string, visibleCount: number): string {
  const characters = [...text];
  const hidden = Math.max(0, characters.length - visibleCount);
  return MASK.repeat(hidden) + characters.slice(hidden).join('');
}

export const ACCOUNT_NUMBER_SHOWN = 3;
export const PHONE_NUMBER_SHOWN = 4;
