import { describe, expect, it } from 'vitest';
import { artistPath, readPathName } from '../../../src/lib/paths.ts';

/** What Astro makes of a path before a page sees it. */
const toParameter = (path: string) => decodeURI(path).slice('/artist/'.length);

describe('an artist’s address', () => {
  it.each(['音の人', 'Rock & Roll', 'a.b-c_d', 'ねこ・いぬ', "a+b=c,d;e:f@g$h#i?j/k!'()*"])(
    'brings back the name %s',
    (username) => {
      expect(readPathName(toParameter(artistPath(username)))).toBe(username);
    },
  );

  it.each([
    ['100%', '100%'],
    ['%zz', '%zz'],
    ['%E3%81', '%E3%81'],
    [undefined, ''],
  ])('takes %j as it is', (parameter, username) => {
    expect(readPathName(parameter)).toBe(username);
  });
});
