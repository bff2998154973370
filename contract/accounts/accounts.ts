import * as v from 'valibot';
import { EmailSchema, requiredEmail } from '../values/emails.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { NewPasswordSchema, PasswordSchema, newPassword, requiredPassword } from './passwords.ts';
import { DoneSchema, FileUrlSchema, IdSchema, type Read, TextSchema, extra, orElse } from '../calls/wire.ts';

/** A token in an address or a body. Ours have 43 characters; other hosts use their own formats. */
const TokenSchema = v.pipe(v.optional(v.string(), ''), v.maxLength(1_024, '長すぎます。'));

/** The user a session belongs to. Spec §4 stores it as received; a host may omit any field. */
export const SessionUserSchema = v.object({
  id: orElse(IdSchema, ''),
  username: TextSchema,
  email: TextSchema,
  profile_picture: FileUrlSchema,
});
export type SessionUser = Read<typeof SessionUserSchema>;

/** A username as the client checks it: it must not be empty (spec §5). The host decides the rest. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredUsername(missing: string) {
  return v.pipe(v.optional(v.string(missing), ''), v.trim(), v.nonEmpty(missing));
}

// Spec §5 quotes English messages for registration and log-in, and for no other form.
const PASSWORD_MISSING = 'Password is required';
const AccountEmailSchema = requiredEmail('Email is required', 'Invalid email format');

export const RegistrationSchema = v.object({
  username: requiredUsername('Username is required'),
  email: AccountEmailSchema,
  password: newPassword(PASSWORD_MISSING, 'Password must be at least 8 characters long'),
});

/** The reply is the same for a new address and for one with an account; the mail tells them apart (spec §7). */
export const register = defineEndpoint({
  method: 'POST',
  path: '/api/account/register/',
  body: RegistrationSchema,
  reply: DoneSchema,
  refuses: [400, 403, 503],
});

export const CredentialsSchema = v.object({
  email: AccountEmailSchema,
  /** The screen sends an empty value (spec §3). */
  username: v.optional(v.string(), ''),
  password: requiredPassword(PASSWORD_MISSING),
});

const LoginReplySchema = v.object({
  user: orElse(SessionUserSchema, null),
  access: v.string(),
  refresh: extra(v.string()),
});

export const logIn = defineEndpoint({
  method: 'POST',
  path: '/api/account/login/',
  body: CredentialsSchema,
  reply: LoginReplySchema,
  refuses: [400, 403, 503],
});

/** Spec §7 only defines `access`. A host that rotates refresh tokens also sends the next one. */
export const refreshAccess = defineEndpoint({
  method: 'POST',
  path: '/api/account/token/refresh/',
  body: v.object({ refresh: TokenSchema }),
  reply: v.object({ access: v.string(), refresh: extra(v.string()) }),
  refuses: [401],
});

/** Ends the session of a refresh token, or all sessions of its member. */
export const logOut = defineEndpoint({
  method: 'POST',
  path: '/api/account/logout/',
  body: v.object({ refresh: TokenSchema, everywhere: v.optional(v.boolean(), false) }),
  reply: DoneSchema,
});

/** The link in the confirmation mail opens the log-in screen, which makes this call (spec §7). */
export const verifyEmail = defineEndpoint({
  method: 'GET',
  path: '/api/account/verify-email/{uid}/{token}/',
  /** The confirmed address, for the log-in form. The token proves that the caller has read its mail. */
  reply: orElse(v.object({ email: v.optional(v.string()), detail: extra(v.string()) }), {}),
  refuses: [400],
});

/** The reply does not depend on the address (decision 028). */
export const requestPasswordReset = defineEndpoint({
  method: 'POST',
  path: '/api/forgot-password/',
  body: v.object({ email: EmailSchema }),
  reply: DoneSchema,
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
  reply: DoneSchema,
  refuses: [400],
});

/** Sends the password again, for this session only, after a 403 with `RECENT_LOGIN_REQUIRED`. */
export const reauthenticate = defineEndpoint({
  method: 'POST',
  path: '/api/account/reauthenticate/',
  body: v.object({ password: PasswordSchema }),
  reply: DoneSchema,
  refuses: [400],
});

const undo = {
  method: 'POST',
  body: v.object({ token: TokenSchema }),
  refuses: [400],
} as const;

/** Describes what the undo link of a mail would restore. Changes nothing, so link scanners may open it. */
export const describeUndo = defineEndpoint({
  ...undo,
  path: '/api/account/undo/describe/',
  /** `changes`: what was changed, as text for people; `changed_at`: ISO 8601, UTC. */
  reply: v.object({
    changes: v.array(v.string()),
    changed_at: v.string(),
    /** Whether it is the link of a deletion, which can be cancelled without a new password. */
    can_keep_password: extra(v.boolean()),
    /** Titles of the deleted sounds that come back then; empty for the deletion of an account. */
    sounds: extra(v.array(v.string())),
    /** How many changed sounds get their former values then, and some of them in words. */
    changed_count: extra(v.number()),
    changed_sounds: extra(v.array(v.string())),
    /** How often sounds were downloaded since the change allowed more for them. */
    widened_downloads: extra(v.number()),
  }),
});

/**
 * Undoes a change and all later ones, ends all sessions of the account and removes its password. `keeps_password`, by the
 * link of a deletion only: cancels the deletion of the account or of the sounds, and changes nothing else.
 */
export const undoChange = defineEndpoint({
  ...undo,
  path: '/api/account/undo/',
  body: v.object({ ...undo.body.entries, keeps_password: v.optional(v.boolean(), false) }),
  reply: DoneSchema,
});
