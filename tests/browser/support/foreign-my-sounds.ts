import type { IncomingMessage } from 'node:http';

/** What another host stores of a sound that a member has sent: only the fields of spec §3. */
interface ForeignSound {
  readonly id: number;
  readonly owner: number;
  readonly type: string;
  title: string;
  description: string | null;
  filename: string;
  thumbnail_url: string | null;
  is_published: boolean;
  is_ai_generated: boolean;
  sub_genres: number[];
}

export interface ForeignMySounds {
  readonly sounds: readonly ForeignSound[];
  /** The names of the files it has accepted, with their bytes and kinds. */
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly type: string }[];
  answer(call: string, url: URL, request: IncomingMessage, caller: Owner | undefined): Promise<Reply | null>;
}

interface Owner {
  readonly id: number;
  readonly username: string;
}
type Reply = readonly [status: number, body: unknown];

/** The calls of spec §7 about own sounds, as a Django host would answer them. */
export function createForeignMySounds(origin: () => string): ForeignMySounds {
  let sounds: ForeignSound[] = [];
  const files: { name: string; bytes: number; type: string }[] = [];

  async function answer(call: string, url: URL, request: IncomingMessage, caller: Owner | undefined) {
    const [, method, id] = /^(PATCH|DELETE) \/api\/sounds\/(\d+)\/$/.exec(call) ?? [];
    if (call === 'GET /api/sounds/' && url.searchParams.has('user')) {
      return url.searchParams.get('include_private') === 'true' ? list(url, caller) : null;
    }
    if (call !== 'POST /api/sounds/' && method === undefined) return null;
    if (!caller) return [401, { detail: 'Authentication credentials were not provided.' }] as const;
    if (call === 'POST /api/sounds/') return upload(await readForm(request), caller);
    const sound = sounds.find((other) => other.id === Number(id) && other.owner === caller.id);
    if (!sound) return [404, { detail: 'Not found.' }] as const;
    if (method === 'PATCH') return update(sound, await readForm(request));
    sounds = sounds.filter((other) => other !== sound);
    return [204, undefined] as const;
  }

  function list({ searchParams }: URL, caller: Owner | undefined): Reply {
    const page = Number(searchParams.get('page') ?? 1);
    const size = Number(searchParams.get('page_size') ?? 20);
    const own = sounds
      .filter(({ owner, type }) => owner === caller?.id && type === searchParams.get('type'))
      .toReversed();
    const next = new URL(`${origin()}/api/sounds/?${searchParams}`);
    next.searchParams.set('page', String(page + 1));
    const results = own.slice((page - 1) * size, page * size).map((sound) => toReply(sound, caller));
    return [200, { results, next: page * size < own.length ? next.href : null }];
  }

  function toReply(sound: ForeignSound, caller: Owner | undefined) {
    return {
      ...sound,
      // Not a field of spec §3.
      owner: undefined,
      type: undefined,
      file_url: `${origin()}/media/${sound.id}.mp3`,
      is_editable: true,
      is_favorited: false,
      download_count: 1234,
      favorite_count: 5,
      artist_name: caller?.username,
      user_profile_picture: null,
    };
  }

  async function upload(form: FormData, caller: Owner): Promise<Reply> {
    const file = form.get('file');
    const filename = String(form.get('filename'));
    if (!(file instanceof File)) return [400, { file: ['No file was submitted.'] }];
    files.push({ name: file.name, bytes: file.size, type: file.type });
    sounds.push({
      id: 1000 + sounds.length,
      owner: caller.id,
      type: String(form.get('types')),
      title: filename.replace(/\.\w+$/, ''),
      description: null,
      filename,
      thumbnail_url: null,
      is_published: false,
      is_ai_generated: false,
      sub_genres: [],
    });
    return [201, {}];
  }

  function update(sound: ForeignSound, form: FormData): Reply {
    for (const [key, value] of form) {
      if (key === 'title' || key === 'description' || key === 'filename') sound[key] = String(value);
      else if (key === 'is_published' || key === 'is_ai_generated') sound[key] = value === 'true';
      else if (key === 'sub_genres') {
        sound.sub_genres = form.getAll(key).flatMap((item) => (item === '' ? [] : Number(item)));
      } else if (key === 'thumbnail' && value instanceof File) {
        sound.thumbnail_url = `${origin()}/pictures/thumbnail.png`;
      } else return [400, { [key]: ['Unexpected field.'] }];
    }
    return [200, {}];
  }

  return {
    get sounds() {
      return sounds;
    },
    files,
    answer,
  };
}

async function readForm(request: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return new Response(Buffer.concat(chunks), { headers }).formData();
}
