// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { MEMBER, useStores } from '../../support/stores.ts';
import { createPaged } from '#src/stores/shared/paged.ts';
import { forgetSession } from '#src/stores/session/session.ts';

interface Read {
  readonly asked: string;
  readonly signal: AbortSignal;
  /** Answers with items and whether there are more of them; a number is the status of a failure. */
  answer(reply: string | number, hasMore?: boolean): Promise<void>;
}

/** A list whose items are single characters, and the reads that it has sent. */
function open({
  countMovedPages = () => 0,
  keepsItems = false,
}: { countMovedPages?: () => number; keepsItems?: boolean } = {}) {
  const reads: Read[] = [];
  const list = createPaged<{ id: string; title?: string }, string>({
    idOf: ({ id }) => id,
    countMovedPages,
    keepsItems,
    read(query, cursor, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<{
        results: { id: string }[];
        next: number | null;
      }>();
      reads.push({
        asked: `${query} ${cursor ?? 1}`,
        signal,
        async answer(reply, hasMore = false) {
          if (typeof reply === 'number') reject(new ApiError(reply, []));
          else
            resolve({
              results: Array.from(reply, (id) => ({ id })),
              next: hasMore ? (cursor ?? 1) + 1 : null,
            });
          await new Promise((done) => setTimeout(done));
        },
      });
      return promise;
    },
  });
  const ask = (what: keyof typeof ACTIONS) => ACTIONS[what](list);
  const shown = () => {
    const { query, items, hasMore, isRead, pending, failure } = list.$list.get();
    const parts = [
      query,
      isRead ? `${items.map(({ id }) => id).join('')}${hasMore ? '…' : ''}` : 'unread',
      pending && `reads ${pending}`,
      failure && `failed ${failure.at}`,
    ];
    return parts.filter((part) => part !== null).join(', ');
  };
  return { list, reads, ask, shown };
}

const ACTIONS = {
  'load x': (list) => void list.load('x'),
  'load y': (list) => void list.load('y'),
  reload: (list) => void list.reload(),
  more: (list) => void list.more(),
  close: (list) => list.close(),
  'log out': () => forgetSession(),
} as const satisfies Record<string, (list: ReturnType<typeof createPaged<{ id: string }, string>>) => void>;

/** An action; or which read is answered, how, and whether the host has more. */
type Step = keyof typeof ACTIONS | readonly [read: number, reply: string | number, hasMore?: boolean];

const AB: readonly Step[] = ['load x', [0, 'ab', true]];
const ABCD: readonly Step[] = [...AB, 'more', [1, 'cd', true]];

const CASES: readonly [what: string, steps: readonly Step[], shown: string, reads: string][] = [
  ['reads nothing by itself', ['reload', 'more'], 'unread', ''],
  ['is loading at first', ['load x'], 'x, unread, reads first', 'x 1'],
  ['shows the first page', AB, 'x, ab…', 'x 1'],
  ['can be empty', ['load x', [0, '']], 'x, ', 'x 1'],
  ['appends the next page', ABCD, 'x, abcd…', 'x 1, x 2'],
  ['ends with the last page', [...AB, 'more', [1, 'c'], 'more'], 'x, abc', 'x 1, x 2'],
  ['reads the next page once', [...AB, 'more', 'more'], 'x, ab…, reads more', 'x 1, x 2'],
  ['shows nothing twice', [...AB, 'more', [1, 'bc', true]], 'x, abc…', 'x 1, x 2'],
  ['stays while it is read again', [...AB, 'load x'], 'x, ab…, reads first', 'x 1, x 1'],
  [
    'is read again as far as it was loaded',
    [...ABCD, 'reload', [2, 'na', true], [3, 'bc', true]],
    'x, nabc…',
    'x 1, x 2, x 1, x 2',
  ],
  ['is read again as far as it exists', [...ABCD, 'reload', [2, 'a']], 'x, a', 'x 1, x 2, x 1'],
  ['is emptied for another query', [...AB, 'load y'], 'y, unread, reads first', 'x 1, y 1'],
  [
    'of another query begins with its first page',
    [...ABCD, 'load y', [2, 'z', true]],
    'y, z…',
    'x 1, x 2, y 1',
  ],
  [
    'drops the answer to another query',
    [...AB, 'load y', 'load x', [1, 'z']],
    'x, unread, reads first',
    'x 1, y 1, x 1',
  ],
  ['drops a late failure', ['load x', 'load y', [0, 503]], 'y, unread, reads first', 'x 1, y 1'],
  [
    'drops a next page of another query',
    [...AB, 'more', 'load y', [1, 'cd'], [2, 'z']],
    'y, z',
    'x 1, x 2, y 1',
  ],
  ['can fail', ['load x', [0, 503]], 'x, unread, failed first', 'x 1'],
  ['is loading again after a failure', ['load x', [0, 503], 'reload'], 'x, unread, reads first', 'x 1, x 1'],
  ['stays after a failure', [...AB, 'reload', [1, 503]], 'x, ab…, failed first', 'x 1, x 1'],
  ['stays when the next page fails', [...AB, 'more', [1, 503]], 'x, ab…, failed more', 'x 1, x 2'],
  ['repeats a failed next page', [...AB, 'more', [1, 503], 'more', [2, 'c']], 'x, abc', 'x 1, x 2, x 2'],
  ['repeats a failed reload', [...AB, 'reload', [1, 503], 'reload', [2, 'c']], 'x, c', 'x 1, x 1, x 1'],
  [
    'that was to be read again is, with the next page',
    [...AB, 'reload', 'more', [2, 'na', true], [3, 'bc']],
    'x, nabc',
    'x 1, x 1, x 1, x 2',
  ],
  [
    'that could not be read again is, with the next page',
    [...AB, 'reload', [1, 503], 'more', [2, 'na', true], [3, 'bc']],
    'x, nabc',
    'x 1, x 1, x 1, x 2',
  ],
  [
    'still gets the requested next page when it is read again',
    [...AB, 'more', 'reload', [2, 'na', true], [3, 'bc']],
    'x, nabc',
    'x 1, x 2, x 1, x 2',
  ],
  [
    'that has become shorter is read from its first page',
    [...AB, 'more', [1, 404], [2, 'b']],
    'x, b',
    'x 1, x 2, x 1',
  ],
  ['is empty when it is closed', [...AB, 'more', 'close', [1, 'c']], 'unread', 'x 1, x 2'],
  ['is empty after a log-out', [...AB, 'more', 'log out', [1, 'c']], 'unread', 'x 1, x 2'],
  ['begins anew after a log-out', [...ABCD, 'log out', 'load x', [2, 'z', true]], 'x, z…', 'x 1, x 2, x 1'],
];

useStores({ member: MEMBER });

describe('a list that is read page by page', () => {
  it.each(CASES)('%s', async (_, steps, expected, asked) => {
    const { reads, ask, shown } = open();
    for (const step of steps) {
      if (typeof step === 'string') ask(step);
      else await reads[step[0]]!.answer(step[1], step[2]);
    }
    expect(shown()).toBe(expected);
    expect(reads.map((read) => read.asked).join(', ')).toBe(asked);
  });

  it.each(['reload', 'load y', 'more', 'close', 'log out'] as const)(
    'cancels a read on: %s',
    async (what) => {
      const { reads, ask } = open();
      ask('load x');
      await reads[0]!.answer('ab', true);
      ask('reload');
      ask(what);
      expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, true, false].slice(0, reads.length));
    },
  );

  it('skips none of those that have moved up', async () => {
    const { reads, ask, shown } = open({ countMovedPages: () => 1 });
    ask('load x');
    await reads[0]!.answer('abc', true);
    ask('more');
    await reads[1]!.answer('bcd', true);
    await reads[2]!.answer('e');
    expect(shown()).toBe('x, abcde');
  });

  it('can keep what it shows until another query is read', async () => {
    const { reads, ask, shown } = open({ keepsItems: true });
    ask('load x');
    await reads[0]!.answer('ab', true);
    ask('more');
    ask('load y');
    expect(shown()).toBe('y, ab, reads first');
    await reads[2]!.answer('z', true);
    expect(shown()).toBe('y, z…');
    expect(reads[2]!.asked).toBe('y 1');
  });

  it('shows accepted changes before it is read again', async () => {
    const { list, reads, ask, shown } = open();
    ask('load x');
    await reads[0]!.answer('abc');
    list.remove('b');
    list.change('c', { title: '雨' });
    expect(shown()).toBe('x, ac');
    expect(list.$list.get().items).toEqual([{ id: 'a' }, { id: 'c', title: '雨' }]);
  });
});
