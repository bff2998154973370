import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeMp3 } from '#demo/encode.ts';
import { type ForeignMySounds, createForeignMySounds } from './foreign-my-sounds.ts';
import { type ForeignProfile, changeForeignProfile, toForeignProfile } from './foreign-profiles.ts';
import { type ForeignApplication, readApplication, refuseApplication } from './foreign-quality-check.ts';

interface Member extends ForeignProfile {
  password: string;
  isActive: boolean;
  token: string;
}

export interface ForeignHost {
  readonly origin: string;
  /** The links it would have mailed, as the values in them. */
  readonly mails: { readonly to: string; readonly uid: string; readonly token: string }[];
  /** The messages to artists it has accepted. */
  readonly messages: Readonly<Record<string, unknown>>[];
  /** The applications for the quality check it has accepted. */
  readonly applications: ForeignApplication[];
  /** The profile changes and files that members have sent. */
  readonly own: ForeignMySounds;
  /** Each call, as `POST /api/…?query`. */
  readonly calls: string[];
  /** Expires every access token issued so far. */
  expireAccess(): void;
  /** Invalidates every refresh token issued so far. */
  revokeRefresh(): void;
  /** The answer to a refresh while set. */
  setRefreshStatus(status: number | null): void;
  /** Replaces the reply of a call, as `GET /api/…`, for every caller; null restores it. */
  replace(call: string, reply: ReplacedReply | null): void;
  /** Lets every cache keep every reply for an hour, without `Vary`. */
  allowCaching(): void;
  /** Sets the XSRF-TOKEN cookie from now on, allows its header, and refuses changes without it. */
  enforceXsrf(): void;
  close(): Promise<void>;
}

export interface ReplacedReply {
  readonly status?: number;
  readonly body?: unknown;
  /** Makes the body from the query, in place of `body`. */
  readonly toBody?: (query: URLSearchParams) => unknown;
}

class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    super(`refused with ${status}`);
    this.status = status;
    this.body = body;
  }
}

const SOUNDS = 25;
/** One grey dot. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
const CALL_HEADERS = 'authorization, content-type';
/** Base64 as Laravel encodes it in a cookie. */
const XSRF_TOKEN = 'c2VjcmV0==';

/**
 * A host that implements spec §7 and nothing else: its exact paths, only the fields of the spec, numeric
 * ids, an absolute `next`, error bodies as lists, refresh tokens that do not
 * rotate, and CORS for one origin. It has none of the calls that our own host adds.
 */
export async function startForeignHost(webOrigin: string): Promise<ForeignHost> {
  const members: Member[] = [];
  const access = new Map<string, Member>();
  const refresh = new Map<string, Member>();
  const favorites = new Map<number, Set<number>>();
  const mails: ForeignHost['mails'] = [];
  const calls: string[] = [];
  const messages: Record<string, unknown>[] = [];
  const applications: ForeignApplication[] = [];
  const tone = Buffer.from(makeTone());
  const replaced = new Map<string, ReplacedReply>();
  let refreshStatus: number | null = null;
  let isXsrfEnforced = false;
  let isCacheable = false;
  let origin = '';
  const own = createForeignMySounds(() => origin);

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error : new Refusal(500, { detail: String(error) });
      send(response, refusal.status, refusal.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    if (request.headers.origin === webOrigin) {
      response.setHeader('access-control-allow-origin', webOrigin);
      response.setHeader('access-control-allow-credentials', 'true');
    }
    if (request.method === 'OPTIONS') {
      response.setHeader(
        'access-control-allow-headers',
        isXsrfEnforced ? `${CALL_HEADERS}, x-xsrf-token` : CALL_HEADERS,
      );
      response.setHeader('access-control-allow-methods', 'GET, POST, PATCH, DELETE');
      return send(response, 200, undefined);
    }
    if (isCacheable) response.setHeader('cache-control', 'public, max-age=3600');
    const call = `${request.method ?? ''} ${url.pathname}`;
    calls.push(call + url.search);
    if (isXsrfEnforced) {
      response.setHeader('set-cookie', `XSRF-TOKEN=${encodeURIComponent(XSRF_TOKEN)}; Path=/; SameSite=Lax`);
      if (request.method !== 'GET' && request.headers['x-xsrf-token'] !== XSRF_TOKEN) {
        throw new Refusal(403, { detail: 'CSRF Failed: CSRF token missing.' });
      }
    }
    const replacement = replaced.get(call);
    if (replacement) {
      const { status = 200, body, toBody } = replacement;
      return send(response, status, toBody ? toBody(url.searchParams) : body);
    }
    if (url.pathname.startsWith('/media/')) {
      response.setHeader('content-type', 'audio/mpeg');
      return void response.end(tone);
    }
    if (url.pathname.startsWith('/pictures/')) {
      response.setHeader('content-type', 'image/png');
      return void response.end(DOT);
    }
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const caller = bearer === undefined ? undefined : access.get(bearer);
    if (bearer !== undefined && caller === undefined) {
      throw new Refusal(401, { detail: 'Given token not valid for any token type', code: 'token_not_valid' });
    }
    const ownReply = await own.answer(call, url, request, caller);
    if (ownReply) return send(response, ...ownReply);
    const body = await readBody(request);
    const [status, reply] = route(call, url, body, caller);
    send(response, status, reply);
  }

  function route(
    call: string,
    url: URL,
    body: Record<string, string>,
    caller: Member | undefined,
  ): readonly [number, unknown] {
    const soundCall = /^POST \/api\/sounds\/(\d+)\/(toggle-favorite|download)$/.exec(call);
    if (soundCall) return [...onSound(Number(soundCall[1]), soundCall[2] ?? '', caller)];
    const confirmation = /^GET \/api\/account\/verify-email\/([^/]+)\/([^/]+)\/$/.exec(call);
    if (confirmation) return [200, confirm(confirmation[1] ?? '', confirmation[2] ?? '')];
    switch (call) {
      case 'GET /api/site-config':
        return [
          200,
          {
            navbar_logo: null,
            navbar_sp_logo: null,
            footer_logo: null,
            footer_banner: null,
            maintenance_mode: false,
            allow_register: true,
          },
        ];
      case 'GET /api/page/':
        return [200, [{ slug: 'guide', title: 'Guide', order: 1 }]];
      case 'GET /api/genres/':
        return [200, [{ id: 1, name: 'Mood', sub_genres: [{ id: 5, name: 'Calm' }] }]];
      case 'GET /api/sounds/types/':
        return [
          200,
          [
            { id: 1, name: 'BGM', icon: null },
            { id: 2, name: 'SFX', icon: null },
          ],
        ];
      case 'GET /api/sounds/':
        return [200, listSounds(url, caller)];
      case 'GET /api/account/artist/somebody/':
        return [
          200,
          { username: 'somebody', bio: 'Tones.', profile_picture: null, message_email: 'mail@example.test' },
        ];
      case 'GET /api/account/profile/':
        return [200, toForeignProfile(signedIn(caller), url)];
      case 'PATCH /api/account/update-profile/': {
        const member = signedIn(caller);
        const errors = changeForeignProfile(member, body);
        return Object.keys(errors).length > 0 ? [400, errors] : [200, toForeignProfile(member, url)];
      }
      case 'POST /api/account/update-profile-picture/':
      case 'POST /api/account/update-profile-background/':
      case 'POST /api/account/verify-personal-info/':
        return [200, takePicture(signedIn(caller), body)];
      case 'POST /api/account/upload-quality-check/':
        return [200, takeApplication(signedIn(caller), body)];
      case 'POST /api/finance/transfer-request/':
        if (body['email'] !== signedIn(caller).email) throw new Refusal(400, { email: ['Not yours.'] });
        return [201, {}];
      case 'POST /api/messages/send/':
        // The body of this refusal is plain text (spec §7).
        if (body['text'] === 'refuse me') throw new Refusal(400, 'The mailbox is full.');
        messages.push(body);
        return [200, { message: 'sent' }];
      case 'POST /api/account/register/':
        return [201, register(body)];
      case 'POST /api/account/login/':
        return [200, logIn(body)];
      case 'POST /api/account/token/refresh/':
        return [200, renew(body)];
      case 'POST /api/forgot-password/': {
        const member = members.find(({ email }) => email === body['email']);
        if (member) mail(member);
        return [200, {}];
      }
      case 'POST /api/reset-password/': {
        const member = members.find(({ id }) => String(id) === body['uid']);
        if (!member || member.token !== body['token']) throw new Refusal(400, { token: ['Invalid value'] });
        member.password = body['password'] ?? '';
        member.token = randomUUID();
        return [200, {}];
      }
      default:
        throw new Refusal(404, { detail: 'Not found.' });
    }
  }

  function register({ username = '', email = '', password = '' }: Record<string, string>) {
    const errors: Record<string, string[]> = {};
    if (members.some((member) => member.username === username)) {
      errors['username'] = ['A user with that username already exists.'];
    }
    if (members.some((member) => member.email === email)) {
      errors['email'] = ['user with this email address already exists.'];
    }
    if (Object.keys(errors).length > 0) throw new Refusal(400, errors);
    const member: Member = {
      id: members.length + 7,
      username,
      email,
      password,
      isActive: false,
      token: '',
      fields: {},
      picture: null,
      background: null,
    };
    members.push(member);
    mail(member);
    return { username, email };
  }

  function mail(member: Member): void {
    member.token = randomUUID();
    mails.push({ to: member.email, uid: String(member.id), token: member.token });
  }

  function confirm(uid: string, token: string) {
    const member = members.find(({ id }) => String(id) === uid);
    if (!member || member.token !== token) throw new Refusal(400, { detail: 'Invalid token' });
    member.isActive = true;
    return { message: 'ok' };
  }

  function takePicture(member: Member, { part = '' }: Record<string, string>) {
    if (part === 'profile_picture') member.picture = `${origin}/pictures/face.png`;
    else if (part === 'profile_background') member.background = `${origin}/pictures/wide.png`;
    else if (part === 'personal_id_image') member.fields['personal_info_status'] = 'pending';
    else throw new Refusal(400, { detail: 'No file was submitted.' });
    return {};
  }

  function takeApplication(member: Member, body: Record<string, string>) {
    const application = readApplication(body['form'] ?? '');
    const errors = refuseApplication(application, String(member.id));
    if (Object.keys(errors).length > 0) throw new Refusal(400, errors);
    applications.push(application);
    member.fields['status'] = 'pending';
    return {};
  }

  function logIn({ email, password }: Record<string, string>) {
    const member = members.find((other) => other.email === email && other.password === password);
    if (!member?.isActive) {
      throw new Refusal(401, { detail: 'No active account found with the given credentials' });
    }
    const tokens = { access: `access.${randomUUID()}`, refresh: `refresh.of.${randomUUID()}` };
    access.set(tokens.access, member);
    refresh.set(tokens.refresh, member);
    return { user: { id: member.id, username: member.username, email: member.email }, ...tokens };
  }

  function renew(body: Record<string, string>) {
    if (refreshStatus !== null) throw new Refusal(refreshStatus, { detail: 'not now' });
    const member = refresh.get(body['refresh'] ?? '');
    if (!member) throw new Refusal(401, { detail: 'Token is invalid or expired', code: 'token_not_valid' });
    const next = `access.${randomUUID()}`;
    access.set(next, member);
    return { access: next };
  }

  function onSound(id: number, action: string, caller: Member | undefined): [number, unknown] {
    if (id < 1 || id > SOUNDS) throw new Refusal(404, { detail: 'Not found.' });
    if (action === 'download') return [200, { url: `${origin}/media/${id}.mp3` }];
    const mine = favoritesOf(signedIn(caller));
    if (!mine.delete(id)) mine.add(id);
    return [204, undefined];
  }

  function listSounds({ searchParams }: URL, caller: Member | undefined) {
    const page = Number(searchParams.get('page') ?? 1);
    const size = Number(searchParams.get('page_size') ?? 20);
    const mine = caller ? favoritesOf(caller) : new Set<number>();
    const ids = Array.from({ length: SOUNDS }, (_, index) => index + 1).filter(
      (id) => searchParams.get('favorite') !== 'true' || mine.has(id),
    );
    const next = new URL(`${origin}/api/sounds/?${searchParams}`);
    next.searchParams.set('page', String(page + 1));
    return {
      results: ids.slice((page - 1) * size, page * size).map((id) => ({
        id,
        title: `Tone ${id}`,
        description: null,
        filename: `${id}.mp3`,
        file_url: `${origin}/media/${id}.mp3`,
        thumbnail_url: null,
        is_published: true,
        is_editable: false,
        is_ai_generated: false,
        is_favorited: mine.has(id),
        sub_genres: [5],
        download_count: 0,
        favorite_count: 0,
        artist_name: 'somebody',
        user_profile_picture: null,
      })),
      next: page * size < ids.length ? next.href : null,
    };
  }

  function favoritesOf({ id }: Member): Set<number> {
    const mine = favorites.get(id) ?? new Set();
    favorites.set(id, mine);
    return mine;
  }

  return {
    origin,
    mails,
    messages,
    applications,
    own,
    calls,
    expireAccess: () => access.clear(),
    revokeRefresh: () => refresh.clear(),
    setRefreshStatus: (status) => (refreshStatus = status),
    replace: (call, reply) => void (reply ? replaced.set(call, reply) : replaced.delete(call)),
    allowCaching: () => void (isCacheable = true),
    enforceXsrf: () => void (isXsrfEnforced = true),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

function signedIn(caller: Member | undefined): Member {
  if (!caller) throw new Refusal(401, { detail: 'Authentication credentials were not provided.' });
  return caller;
}

async function readBody(request: IncomingMessage): Promise<Record<string, string>> {
  let text = '';
  for await (const chunk of request.setEncoding('latin1')) text += String(chunk);
  if (request.headers['content-type']?.startsWith('multipart/form-data')) {
    return { part: /name="(\w+)"; filename="[^"]+"/.exec(text)?.[1] ?? '', form: text };
  }
  text = Buffer.from(text, 'latin1').toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  if (body === undefined) return void response.end();
  response.setHeader('content-type', typeof body === 'string' ? 'text/plain' : 'application/json');
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function makeTone(): Uint8Array {
  const samples = Float32Array.from({ length: 44_100 * 5 }, (_, at) => 0.2 * Math.sin(at / 20));
  return encodeMp3(samples, { title: 'tone', artist: 'somebody', album: 'tones' });
}
