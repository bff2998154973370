import * as v from 'valibot';
import { EmailSchema } from './emails.ts';
import { defineEndpoint } from './endpoint.ts';
import { NewPasswordSchema, PasswordSchema } from './passwords.ts';
import { FileUrlSchema, IdSchema, TextSchema, extra } from './wire.ts';

/** Hosts answer these calls with what they like; only the status counts. */
const AnyReplySchema = v.unknown();
/** A token in an address or a body: ours have 43 characters; other hosts have their own. */
const TokenSchema = v.pipe(v.optional(v.string(), ''), v.maxLength(1_024, '長すぎます。'));

/** Whom a log-in is for. Spec §4 stores it as it comes; a host may leave out any of it. */
export const SessionUserSchema = v.object({
  id: v.optional(v.fallback(IdSchema, ''), ''),
  username: TextSchema,
  email: TextSchema,
  profile_picture: FileUrlSchema,
});
export type SessionUser = v.InferOutput<typeof SessionUserSchema>;

/** A username as the client checks it: there has to be one (spec §5), the host decides the rest. */
export const UsernameTextSchema = v.pipe(
  v.optional(v.string('Username is required'), ''),
  v.trim(),
  v.nonEmpty('Username is required'),
);

export const RegistrationSchema = v.object({
  username: UsernameTextSchema,
  email: EmailSchema,
  password: NewPasswordSchema,
});

/** Answers the same whether the address is new or has an account: the mail says which (spec §7). */
export const register = defineEndpoint({
  method: 'POST',
  path: '/api/account/register/',
  body: RegistrationSchema,
  reply: AnyReplySchema,
  errors: {
    400: 'a field is wrong, or the username is taken; the body names it',
    403: 'registration is closed',
    429: 'too many registrations from this address',
    503: 'too many passwords are being checked just now',
  },
});

export const CredentialsSchema = v.object({
  email: EmailSchema,
  /** The screen sends an empty one (spec §3). */
  username: v.optional(v.string(), ''),
  password: PasswordSchema,
});

const LoginReplySchema = v.object({
  user: v.optional(v.fallback(v.nullable(SessionUserSchema), null), null),
  access: v.string(),
  refresh: extra(v.string()),
});

export const logIn = defineEndpoint({
  method: 'POST',
  path: '/api/account/login/',
  body: CredentialsSchema,
  reply: LoginReplySchema,
  errors: {
    400: 'the two do not belong together, or the address is not confirmed yet',
    429: 'too many attempts',
    503: 'too many passwords are being checked just now',
  },
});

/** Spec §7 names `access` alone; a host that rotates refresh tokens sends the next one too. */
export const refreshAccess = defineEndpoint({
  method: 'POST',
  path: '/api/account/token/refresh/',
  body: v.object({ refresh: TokenSchema }),
  reply: v.object({ access: v.string(), refresh: extra(v.string()) }),
  errors: { 401: 'the token is unknown, used up or expired', 429: 'too many refreshes' },
});

/** Ends the session that a refresh token belongs to, or all of its member's. Capability `log-out`. */
export const logOut = defineEndpoint({
  method: 'POST',
  path: '/api/account/logout/',
  body: v.object({ refresh: TokenSchema, everywhere: v.optional(v.boolean(), false) }),
  reply: AnyReplySchema,
});

/** The link of the confirmation mail leads to the log-in screen, which makes this call (spec §7). */
export const verifyEmail = defineEndpoint({
  method: 'GET',
  path: '/api/account/verify-email/{uid}/{token}/',
  /** The confirmed address, for the log-in form; whoever has the token has read its mail. */
  reply: v.fallback(v.object({ email: extra(v.string()) }), {}),
  errors: { 400: 'the link is unknown or too old', 429: 'too many attempts' },
});

/** Always answers the same (decisions.md). */
export const requestPasswordReset = defineEndpoint({
  method: 'POST',
  path: '/api/forgot-password/',
  body: v.object({ email: EmailSchema }),
  reply: AnyReplySchema,
  errors: { 429: 'too many requests' },
});

export const PasswordResetSchema = v.object({
  uid: TokenSchema,
  token: TokenSchema,
  password: NewPasswordSchema,
});

export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/api/reset-password/',
  body: PasswordResetSchema,
  reply: AnyReplySchema,
  errors: { 400: 'the link is unknown, used or too old, or the password will not do', 429: 'too many' },
});

/** Gives the password once more, for this session alone; asked for by a 403 with `RECENT_LOGIN_REQUIRED`. */
export const reauthenticate = defineEndpoint({
  method: 'POST',
  path: '/api/account/reauthenticate/',
  body: v.object({ password: PasswordSchema }),
  reply: AnyReplySchema,
  errors: { 400: 'the password is wrong', 401: 'nobody is logged in', 429: 'too many attempts' },
});

const undo = {
  method: 'POST',
  body: v.object({ token: TokenSchema }),
  errors: { 400: 'the link is unknown, used or too old', 429: 'too many attempts' },
} as const;

/** What the undo link of a mail would put back; changes nothing, so that link scanners may follow it. */
export const describeUndo = defineEndpoint({
  ...undo,
  path: '/api/account/undo/describe/',
  /** `changes`: what was changed, in words; `changed_at`: ISO 8601, UTC. */
  reply: v.object({ changes: v.array(v.string()), changed_at: v.string() }),
});

/** Undoes a change and all that came after it, and ends the account's sessions and its password. */
export const undoChange = defineEndpoint({ ...undo, path: '/api/account/undo/', reply: AnyReplySchema });
