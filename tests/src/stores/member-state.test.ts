// @vitest-environment happy-dom
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { NO_SESSION } from '#src/browser/session.ts';
import { setExtended } from '../support/stores.ts';

interface Store {
  get(): unknown;
  set(value: unknown): void;
  listen(listener: () => void): () => void;
}
interface Query extends Store {
  mutate(data: unknown): void;
}

/** The stores that the modules of src/stores and of the console create while they load, exported or not, by where they are created. */
const made = vi.hoisted(() => ({
  atoms: new Map<Store, string>(),
  queries: new Map<Query, string>(),
  /** Declared to survive a change of member. */
  isPublic: new Set<unknown>(),
}));

vi.mock('nanostores', async (importOriginal) => {
  const original = await importOriginal<typeof import('nanostores')>();
  return { ...original, atom: noteAtoms(original.atom), map: noteAtoms(original.map) };
});
vi.mock('@nanostores/persistent', async (importOriginal) => {
  const original = await importOriginal<typeof import('@nanostores/persistent')>();
  return {
    ...original,
    persistentAtom: noteAtoms(original.persistentAtom),
    persistentMap: noteAtoms(original.persistentMap),
  };
});
vi.mock('@nanostores/query', async (importOriginal) => {
  const original = await importOriginal<typeof import('@nanostores/query')>();
  return {
    ...original,
    nanoquery: (...options: Parameters<typeof original.nanoquery>) => {
      const [createFetcherStore, ...others] = original.nanoquery(...options);
      return [note(createFetcherStore, (store, place) => made.queries.set(store, place)), ...others];
    },
  };
});
vi.mock('#src/browser/public-atom.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('#src/browser/public-atom.ts')>();
  return {
    publicAtom: notePublic(original.publicAtom),
    publicMap: notePublic(original.publicMap),
    publicPersistentAtom: notePublic(original.publicPersistentAtom),
  };
});
vi.mock('#src/stores/shared/queries.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('#src/stores/shared/queries.ts')>();
  return { ...original, publicQuery: notePublic(original.publicQuery) };
});
/** The reads that were sent. */
const reads: { readonly path: string; readonly signal: AbortSignal | undefined }[] = [];
/** The calls that wait for an answer. */
const waiting: PromiseWithResolvers<unknown>[] = [];
const wait = () => {
  const call = Promise.withResolvers<unknown>();
  waiting.push(call);
  return call.promise;
};
vi.mock('#src/api/browser.ts', () => ({
  callApi({ method, path }: { method: string; path: string }, options?: { signal?: AbortSignal }) {
    if (method === 'GET') reads.push({ path, signal: options?.signal });
    return wait();
  },
  callAnonymously: wait,
}));
vi.mock('#src/api/upload.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  uploadForm: wait,
}));

type Create = (...options: never[]) => unknown;

function note<Factory extends Create>(
  create: Factory,
  keep: (store: ReturnType<Factory>, place: string) => void,
): Factory {
  const noting = (...options: Parameters<Factory>) => {
    const store = create(...options) as ReturnType<Factory>;
    keep(store, findPlace());
    return store;
  };
  return noting as Factory;
}

function noteAtoms<Factory extends Create>(create: Factory): Factory {
  return note(create, (store, place) => made.atoms.set(store as Store, place));
}

function notePublic<Factory extends Create>(create: Factory): Factory {
  return note(create, (store) => made.isPublic.add(store));
}

/** The line that creates a store, skipping the factories. */
function findPlace(): string {
  const line = /src\/(?:stores\/(?!shared\/)|islands\/console\/)[\w-]+\/[\w.-]+:\d+/g;
  const lines = new Error('place').stack?.match(line) ?? [];
  return lines[0] ?? 'src/stores/shared';
}

const MODULES = import.meta.glob(['../../../src/stores/**/*.ts', '../../../src/islands/console/**/*.ts']);
const USER = { username: '音の人', email: 'a@example.test', profile_picture: null };

/** Matches any shape: each of its properties and results is the same object. */
const ANYTHING: unknown = new Proxy(() => undefined, {
  get(_, key) {
    if (key === 'then') return undefined;
    return key === Symbol.toPrimitive ? () => 'x' : ANYTHING;
  },
  apply: () => ANYTHING,
});

/** A value of the same type, so that subscribers of a store can read it. */
function fill(initial: unknown): unknown {
  if (Array.isArray(initial)) return [ANYTHING];
  if (typeof initial === 'string') return 'x';
  if (typeof initial === 'number') return 1;
  if (typeof initial === 'boolean') return !initial;
  if (initial === null || typeof initial !== 'object') return ANYTHING;
  return Object.keys(initial).length > 0 ? { ...initial, filled: true } : { filled: ANYTHING };
}

let session: typeof import('#src/stores/session/session.ts');
let atoms: { readonly $store: Store; readonly place: string; readonly initial: unknown }[];
/** The session itself, tools, hooks and factories. */
const NO_ACTIONS = /stores\/(?:session|overlays|shared)\/| (?:use|create)[A-Z]/;
/** What the modules export, by file and name. */
const actions = new Map<string, Create>();
let queries: [$query: Query, place: string][];

/** Queries follow their keys in a separate task. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 1));

/** The stores that still hold a value, by where they are created. */
const listLeft = () => [
  ...atoms.flatMap(({ $store, place, initial }) => ($store.get() === initial ? [] : [place])),
  ...queries.flatMap(([$query, place]) =>
    ($query.get() as { data?: unknown }).data === undefined ? [] : [place],
  ),
];

beforeAll(async () => {
  localStorage.clear();
  setExtended(true);
  session = await import('#src/stores/session/session.ts');
  session.rememberUser({ ...USER, id: 'u1' });
  for (const [file, load] of Object.entries(MODULES)) {
    const exported = Object.entries((await load()) as Record<string, unknown>);
    for (const [name, value] of exported) {
      if (typeof value === 'function' && !NO_ACTIONS.test(`${file} ${name}`))
        actions.set(`${file} ${name}`, value as Create);
    }
  }
  const isMembers = ([store, place]: readonly [unknown, string]) =>
    !made.isPublic.has(store) && place !== 'src/stores/shared';
  atoms = [...made.atoms].filter(isMembers).map(([$store, place]) => {
    return { $store, place, initial: $store.get() };
  });
  queries = [...made.queries].filter(isMembers);
  for (const [$query] of queries) $query.listen(() => undefined);
}, 30_000);

beforeEach(async () => {
  URL.revokeObjectURL = () => undefined;
  URL.createObjectURL = () => 'blob:x';
  session.rememberUser({ ...USER, id: 'u1' });
  for (const { $store, initial } of atoms) $store.set(fill(initial));
  await settle();
  for (const [$query] of queries) {
    $query.mutate({ filled: true });
    // The key of the next one may depend on it.
    await settle();
  }
  expect(listLeft()).toEqual([...atoms.map(({ place }) => place), ...queries.map(([, place]) => place)]);
});

afterAll(() => localStorage.clear());

/** Writes `auth` as another tab does. */
function writeInOtherTab(value: string | null): void {
  if (value === null) localStorage.removeItem('auth');
  else localStorage.setItem('auth', value);
  window.dispatchEvent(
    Object.assign(new StorageEvent('storage', { key: 'auth', newValue: value }), {
      storageArea: localStorage,
    }),
  );
}

const SECOND = JSON.stringify({ ...NO_SESSION, isAuthenticated: true, user: { ...USER, id: 'u2' } });
const logIn = (id: string) => session.rememberUser({ ...USER, id });

describe('every store of a member', () => {
  it('is found', () => {
    expect(Object.keys(MODULES).length).toBeGreaterThan(50);
    expect(atoms.length).toBeGreaterThan(10);
    expect(queries.length).toBeGreaterThan(2);
  });

  it('is no longer read after a log-out', () => {
    session.forgetSession();
    const underWay = reads.filter(({ signal }) => !signal?.aborted).map(({ path }) => path);
    expect(reads.length).toBeGreaterThanOrEqual(queries.length);
    expect(underWay).toEqual([]);
  });

  it.each<[string, string | undefined, () => void]>([
    ['after a log-out', undefined, () => session.forgetSession()],
    ['when another member logs in after a log-out', 'u2', () => (session.forgetSession(), logIn('u2'))],
    ['when another member replaces the first without a log-out', 'u2', () => logIn('u2')],
    ['where the host sends no ids', '', () => (session.forgetSession(), logIn(''))],
    ['after a log-out in another tab', undefined, () => writeInOtherTab(null)],
    ['when another member logs in in another tab', 'u2', () => writeInOtherTab(SECOND)],
  ])('is empty %s', (_, id, change) => {
    change();
    expect(session.$session.get().user?.id).toBe(id);
    expect(listLeft()).toEqual([]);
  });
});

describe('an action that a member began', () => {
  /** Calls it with anything while its stores say what `fillAll` has written. */
  async function begin(act: Create, fillAll: (initial: unknown) => unknown): Promise<void> {
    logIn('u1');
    for (const { $store, initial } of atoms) $store.set(fillAll(initial));
    const run = act as (...options: unknown[]) => unknown;
    void (async () => run(ANYTHING, ANYTHING, ANYTHING, ANYTHING))().catch(() => undefined);
    await settle();
  }

  it.each([
    ['answered', (call: PromiseWithResolvers<unknown>) => call.resolve(ANYTHING)],
    ['refused', (call: PromiseWithResolvers<unknown>) => call.reject(new ApiError(500, []))],
  ])(
    'writes nothing when its calls are %s after the log-out',
    async (_, answer) => {
      const late: string[] = [];
      let answered = 0;
      // Many actions cannot be called with anything.
      const consoles = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
      for (const spy of consoles) spy.mockImplementation(() => undefined);
      onTestFinished(async () => {
        await settle();
        for (const spy of consoles) spy.mockRestore();
      });
      for (const [name, act] of actions) {
        for (const fillAll of [(initial: unknown) => initial, fill]) {
          waiting.length = 0;
          await begin(act, fillAll);
          // The action itself may have ended the session.
          logIn('u1');
          session.forgetSession();
          expect(listLeft()).toEqual([]);
          for (let round = 0; round < 5 && waiting.length > 0; round += 1) {
            for (const call of waiting.splice(0)) answer(call);
            answered += 1;
            await settle();
          }
          late.push(...listLeft().map((place) => `${name} writes ${place}`));
        }
      }
      expect(late).toEqual([]);
      expect(answered).toBeGreaterThan(100);
    },
    30_000,
  );
});
