/** How private values stand on a page while nobody edits them (spec §5). */
const MASK = '*';

/** Every character hidden: the deposit type. */
export function maskAll(text: string): string {
  return MASK.repeat([...text].length);
}

/** All but the last characters hidden: three of an account number, four of a phone number. */
export function maskAllButLast(text: string, shown: number): string {
  const characters = [...text];
  const hidden = Math.max(0, characters.length - shown);
  return MASK.repeat(hidden) + characters.slice(hidden).join('');
}

export const ACCOUNT_NUMBER_SHOWN = 3;
export const PHONE_NUMBER_SHOWN = 4;
