/** How many mistakes are looked for: one in three to seven characters, two in longer texts. */
export function toMistakesMax({ length }: string): number {
  return length < 3 ? 0 : length < 8 ? 1 : 2;
}

/** Texts of one length, with where they come from. */
interface SameLength {
  readonly positions: number[];
  /** See `toSignature`. */
  readonly signatures: number[];
}

/**
 * Texts by their length and characters. Of 30,000, some twenty have to be compared with a text to find those with a
 * mistake or two in them. Takes 20 bytes for each.
 */
export class NearIndex {
  readonly #byLength = new Map<number, SameLength>();

  add(text: string, position: number): void {
    const sameLength = this.#byLength.get(text.length) ?? { positions: [], signatures: [] };
    this.#byLength.set(text.length, sameLength);
    sameLength.positions.push(position);
    sameLength.signatures.push(toSignature(text));
  }

  /** The positions of all texts that may differ by so few mistakes, and of some that do not, in no order. */
  find(typed: string): number[] {
    const mistakesMax = toMistakesMax(typed);
    const signature = toSignature(typed);
    const found: number[] = [];
    if (mistakesMax === 0) return found;
    for (let length = typed.length - mistakesMax; length <= typed.length + mistakesMax; length += 1) {
      const { positions = [], signatures = [] } = this.#byLength.get(length) ?? {};
      for (let at = 0; at < signatures.length; at += 1)
        // A mistake takes one character away, adds one, or both.
        if (countBits(signature ^ (signatures[at] ?? 0)) <= 2 * mistakesMax) found.push(positions[at] ?? 0);
    }
    return found;
  }
}

/** Which characters a text has, of 32 classes; neighbouring kana and letters are of different ones. */
function toSignature(text: string): number {
  let signature = 0;
  for (let at = 0; at < text.length; at += 1) signature |= 1 << (text.charCodeAt(at) & 31);
  return signature;
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
