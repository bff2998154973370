/** Replies of a host that implements spec §7 and nothing else, by path, and odd versions of them. */
export type Replies = Readonly<Record<string, unknown>>;

const SOUND = {
  id: 1,
  title: 'Tone 1',
  description: 'Calm.',
  filename: '1.mp3',
  file_url: '/media/1.mp3',
  thumbnail_url: '/pictures/1.png',
  is_published: true,
  is_editable: false,
  is_ai_generated: false,
  is_favorited: false,
  sub_genres: [5],
  download_count: 3,
  favorite_count: 4,
  artist_name: 'somebody',
  user_profile_picture: '/pictures/face.png',
};

/** The reads that pages make. */
export const FOREIGN_REPLIES: Replies = {
  '/api/site-config': {
    navbar_logo: '/pictures/logo.png',
    navbar_sp_logo: null,
    footer_logo: null,
    footer_banner: null,
    maintenance_mode: false,
    allow_register: true,
  },
  '/api/page/': [
    { slug: 'guide', title: 'Guide', order: 1 },
    { slug: 'law', title: 'Law', order: 2 },
  ],
  '/api/genres/': [{ id: 1, name: 'Mood', sub_genres: [{ id: 5, name: 'Calm' }] }],
  '/api/sounds/types/': [
    { id: 1, name: 'BGM', icon: null },
    { id: 2, name: 'SFX', icon: null },
  ],
  '/api/sounds/': { results: [SOUND, { ...SOUND, id: 2, title: 'Tone 2' }], next: null },
  '/api/account/artist/somebody/': {
    username: 'somebody',
    bio: 'Tones.',
    profile_picture: '/pictures/face.png',
    profile_background: null,
    message_email: 'mail@example.test',
    donation_url: null,
  },
};

/** Odd replacements for a value: nothing, the same in another type, or an invalid value. */
const ODD_VALUES: readonly (readonly [name: string, make: (value: unknown) => unknown])[] = [
  ['missing', () => undefined],
  ['null', () => null],
  ['as text', (value) => String(value)],
  ['a number', () => 7],
  ['a negative number', () => -1.5],
  ['"true"', () => 'true'],
  ['1', () => 1],
  ['an empty text', () => ''],
  ['an address that cannot be parsed', () => 'http://[broken'],
  ['an object', () => ({ a: 1 })],
  ['a list', () => [{}, null, 'x']],
];

export interface OddReply {
  readonly name: string;
  readonly reply: unknown;
}

/** A reply with every odd version of each field at every depth, with an extra field, and replaced as a whole. */
export function* listOddReplies(reply: unknown): Generator<OddReply> {
  for (const [name, value] of [
    ['null', null],
    ['a text', 'fine'],
    ['a number', 3],
    ['{}', {}],
    ['[]', []],
  ] as const) {
    yield { name: `instead: ${name}`, reply: value };
  }
  yield* listOddFields(reply, '', (value) => value);
}

function* listOddFields(
  part: unknown,
  path: string,
  rebuild: (value: unknown) => unknown,
): Generator<OddReply> {
  if (Array.isArray(part)) {
    for (const extra of [null, 3, 'x', {}, []]) {
      yield {
        name: `${path}[]: ${JSON.stringify(extra)} beside`,
        reply: rebuild([extra, ...(part as unknown[])]),
      };
    }
    const [first, ...others] = part as unknown[];
    yield* listOddFields(first, `${path}[0]`, (value) => rebuild([value, ...others]));
    return;
  }
  if (typeof part !== 'object' || part === null) return;
  yield { name: `${path}: an extra field`, reply: rebuild({ ...part, extra_field: { a: [1] } }) };
  for (const [key, value] of Object.entries(part)) {
    for (const [name, make] of ODD_VALUES) {
      yield { name: `${path}.${key}: ${name}`, reply: rebuild({ ...part, [key]: make(value) }) };
    }
    yield* listOddFields(value, `${path}.${key}`, (inner) => rebuild({ ...part, [key]: inner }));
  }
}
