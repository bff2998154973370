import { TITLE_LENGTH_MAX } from '../../../contract/sounds/my-sounds.ts';
import { cleanLine } from '../../../contract/values/texts.ts';

/**
 * Title candidates for a new sound, best first: the title in its tags, the file name without extension, and these with
 * numbers. Albums often have the same title in all their files. Infinite unless there is no text at all, which yields
 * ''.
 */
export function* suggestTitles(tagged: string, filename: string): Generator<string, void> {
  const titles = [tagged, filename.replace(/\.[A-Za-z0-9]{1,5}$/, '')]
    .map(toTitle)
    .filter((title) => title !== '');
  const [best] = titles;
  if (best === undefined) return yield '';
  yield* titles;
  for (let number = 2; ; number += 1) yield withNumber(best, ` (${number})`);
}

/** Limited to the maximum length of a title. */
function withNumber(title: string, number: string): string {
  return (
    [...title]
      .slice(0, TITLE_LENGTH_MAX - number.length)
      .join('')
      .trim() + number
  );
}

function toTitle(text: string): string {
  return cleanLine([...cleanLine(text)].slice(0, TITLE_LENGTH_MAX).join(''));
}
