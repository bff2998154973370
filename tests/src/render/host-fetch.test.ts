import { describe, expect, it } from 'vitest';
import { createHostFetch } from '#src/render/host-fetch.ts';

const API = 'http://api.example';
const deadline = new AbortController().signal;

/** Asks a host whose replies are those of `answer`: the reply, and the addresses that were called. */
async function ask(answer: (url: string) => Response, path = '/api/sounds') {
  const asked: string[] = [];
  const fetchHost = createHostFetch(deadline, async (input, init) => {
    const url = String(input);
    asked.push(url);
    expect(init?.redirect).toBe('manual');
    return answer(url);
  });
  const reply = await fetchHost(API + path);
  return { status: reply.status, asked };
}

const toRedirect = (location: string, status = 301) =>
  new Response('moved', { status, headers: { location } });

describe('a redirect of the host of the API', () => {
  it.each([
    ['to the same address with its slash', '/api/sounds/', `${API}/api/sounds/`],
    ['to a whole address', `${API}/api/v2/sounds/`, `${API}/api/v2/sounds/`],
    ['to the same name with TLS', 'https://api.example/api/sounds', 'https://api.example/api/sounds'],
  ])('is followed %s', async (_, location, next) => {
    const { status, asked } = await ask((url) =>
      url === `${API}/api/sounds` ? toRedirect(location, 308) : new Response('[]'),
    );
    expect([status, asked]).toEqual([200, [`${API}/api/sounds`, next]]);
  });

  it.each([
    'http://stranger.example/api/sounds/',
    'http://api.example:8080/',
    'http://169.254.169.254/latest/meta-data/',
    '//stranger.example/',
    'https://api.example.stranger.example/',
    'https://api.example:8443/',
    'file:///etc/passwd',
    'http://',
    '',
  ])('is not followed to %j (W4)', async (location) => {
    expect(await ask(() => toRedirect(location, 302))).toEqual({ status: 302, asked: [`${API}/api/sounds`] });
  });

  it('is followed three times at most', async () => {
    const { status, asked } = await ask((url) => toRedirect(`${url}/`));
    expect([status, asked.length]).toEqual([301, 4]);
  });

  it('is none without its status', async () => {
    const headers = { location: '/api/other' };
    expect((await ask(() => new Response(null, { status: 304, headers }))).asked).toHaveLength(1);
  });
});
