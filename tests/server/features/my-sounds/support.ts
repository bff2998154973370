import { pino } from 'pino';
import { createOutbox } from '#server/features/mail/outbox.ts';
import type { Database } from '#server/platform/database/open.ts';
import type { TestApi } from '#support/http/api.ts';
import { PASSWORD, logInWith, readMails, readTokens, refreshWith } from '#support/members/accounts.ts';
import type { Tokens } from '#support/members/accounts.ts';
import { createTestTransport } from '#support/members/mails.ts';

/** A session of an artist who has `PASSWORD`, and the mails whose links undo changes and deletions. */
export function createArtistSession(api: TestApi, database: Database, email: string) {
  let session: Tokens;
  const authorization = (access = session.access) => ({ authorization: `Bearer ${access}` });
  /** Time passes, and the session is renewed, without the password. */
  async function pass(timeMs: number): Promise<void> {
    api.clock.advance(timeMs);
    session = await readTokens(await refreshWith(api, session.refresh));
  }
  const undoMails = async () =>
    (await readMails(database, email)).filter(({ text }) => text.includes('/undo?'));
  const undo = (token: string, more: object = {}) => api.post('/api/account/undo/', { token, ...more });
  return {
    async logIn(): Promise<void> {
      session = await logInWith(api, email);
    },
    access: () => session.access,
    authorization,
    pass,
    enterPassword: () => api.post('/api/account/reauthenticate/', { password: PASSWORD }, authorization()),
    remove: (soundId: string, access?: string) =>
      api.app.request(`/api/sounds/${soundId}/`, { method: 'DELETE', headers: authorization(access) }),
    undoMails,
    /** The token of the newest link. */
    async readToken(): Promise<string> {
      return /\/undo\?token=([\w-]{43})$/m.exec((await undoMails()).at(-1)?.text ?? '')?.[1] ?? '';
    },
    undo,
    /** Undoes as the owner who did it, whose password stays. */
    keep: (token: string) => undo(token, { keeps_password: true }),
    describeLink: async (token: string) => (await api.post('/api/account/undo/describe/', { token })).json(),
  };
}

/** Sends the mails that are due at each call of `send`. */
export function createMailSender(api: TestApi, database: Database) {
  const transport = createTestTransport();
  const outbox = createOutbox({ database, clock: api.clock, log: pino({ level: 'silent' }), transport });
  return { sent: transport.sent, send: () => outbox.sendDue(new AbortController().signal) };
}
