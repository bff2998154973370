import { describe, expect, it } from 'vitest';
import { artistPath, readPathName } from '#src/lib/paths.ts';

/** The path parameter as Astro passes it to a page. */
const toParameter = (path: string) => decodeURI(path).slice('/artist/'.length);

describe('an artist’s address', () => {
  it.each(['音の人', 'Rock & Roll', 'a.b-c_d', 'ねこ・いぬ', "a+b=c,d;e:f@g$h#i?j/k!'()*"])(
    'round-trips the name %s',
    (username) => {
      expect(readPathName(toParameter(artistPath(username)))).toBe(username);
    },
  );

  it.each([
    ['100%', '100%'],
    ['%zz', '%zz'],
    ['%E3%81', '%E3%81'],
    [undefined, ''],
  ])('uses %j unchanged', (parameter, username) => {
    expect(readPathName(parameter)).toBe(username);
  });
});
