import * as v from 'valibot';
import { AD_PROVIDER_NAMES } from '../../contract/downloads/ads.ts';
import type { AdProviderName } from '../../contract/downloads/ads.ts';
import { DONATION_HOST_DEFAULT, SITE_NAME_DEFAULT } from '../../contract/site/defaults.ts';
import { isEmail, normaliseEmail } from '../../contract/values/emails.ts';
import { cleanLine } from '../../contract/values/texts.ts';
import { OperatorError } from '../platform/operator-error.ts';

/** `/network/unit/…`; the network code may be followed by a comma and a child's code. */
const AD_UNIT = /^\/\d{1,20}(?:,\d{1,20})?(?:\/[\w.*!:()-]{1,100}){1,5}$/;
/** A host name or `host.name`; only letters, digits, dots and dashes. */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

export class SettingsError extends OperatorError {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The settings have ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** An empty or blank value counts as not set. */
export function text(fallback: string) {
  return v.pipe(
    v.optional(v.string(), ''),
    v.trim(),
    v.transform((value) => value || fallback),
  );
}

/** The rest of a message that starts with the name of the setting. */
export function mustBe(expected: string) {
  return ({ input }: { readonly input: unknown }) => `is ${JSON.stringify(input)}, but must be ${expected}.`;
}

export function flag(fallback: string, on: string, off: string) {
  return v.pipe(
    text(fallback),
    v.toLowerCase(),
    v.picklist([on, off], mustBe(`${on} or ${off}`)),
    v.transform((value) => value === on),
  );
}

/** Scheme, host and port only; null when not set. */
export function origin() {
  return v.pipe(
    text(''),
    v.check((value) => value === '' || isOrigin(value), mustBe('an origin such as https://sounds.example')),
    v.transform((value) => (value === '' ? null : new URL(value).origin)),
  );
}

function isOrigin(value: string): boolean {
  const parsed = URL.parse(value);
  return (
    parsed !== null &&
    (parsed.protocol === 'http:' || parsed.protocol === 'https:') &&
    parsed.pathname === '/' &&
    parsed.search + parsed.hash + parsed.username + parsed.password === ''
  );
}

/** An address as it stands in security.txt; '' when not set. `alsoMailbox`: or an e-mail address, as `mailto:`. */
function publicAddress(expected: string, alsoMailbox: boolean) {
  const find = (value: string) => {
    if (value === '') return '';
    const parsed = URL.parse(value);
    if (parsed?.protocol === 'https:' && parsed.username + parsed.password === '') return parsed.href;
    const email = normaliseEmail(value);
    return alsoMailbox && isEmail(email)
      ? `mailto:${encodeURIComponent(email).replace('%40', '@')}`
      : undefined;
  };
  return v.pipe(
    text(''),
    v.check((value) => find(value) !== undefined, mustBe(expected)),
    v.transform((value) => find(value) ?? ''),
  );
}

/** The settings of pages. No Node modules: an edge runtime reads them as well. */
export const PAGE_SETTINGS = {
  SITE_URL: origin(),
  SITE_NAME: v.pipe(
    text(SITE_NAME_DEFAULT),
    v.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, mustBe('one line')),
    v.transform(cleanLine),
    v.nonEmpty(mustBe('visible')),
  ),
  API_ORIGIN: origin(),
  FILES_ORIGIN: origin(),
  DONATION_HOST: v.pipe(
    text(DONATION_HOST_DEFAULT),
    v.toLowerCase(),
    v.regex(HOST_NAME, mustBe('a host name such as ofuse.me')),
  ),
  MAINTENANCE: flag('false', 'true', 'false'),
  AD_PROVIDERS: v.pipe(
    text('house'),
    v.toLowerCase(),
    v.transform((value) => value.split(',').map((name) => name.trim())),
    v.array(
      v.picklist(AD_PROVIDER_NAMES, mustBe(`one of ${AD_PROVIDER_NAMES.join(', ')}, or several with commas`)),
    ),
  ),
  GPT_AD_UNIT: text(''),
  SECURITY_CONTACT: publicAddress('an address that begins with https://, or an e-mail address', true),
  SECURITY_POLICY: publicAddress('an address that begins with https://', false),
};

type PageSettings = v.InferOutput<v.ObjectSchema<typeof PAGE_SETTINGS, undefined>>;

type AdSettings = Pick<PageSettings, 'AD_PROVIDERS' | 'GPT_AD_UNIT'>;

/** With the provider `gpt`, pages need its ad unit. */
export function hasAdUnit({ AD_PROVIDERS, GPT_AD_UNIT }: AdSettings): boolean {
  return !AD_PROVIDERS.includes('gpt') || AD_UNIT.test(GPT_AD_UNIT);
}

/** The message when `hasAdUnit` is false. */
export function requireAdUnit({ input }: { readonly input: Partial<AdSettings> }): string {
  return mustBe('an ad unit such as /1234567/rewarded')({ input: input.GPT_AD_UNIT });
}

/** The part of `Settings` that pages use. */
export function toPageSettings(values: PageSettings) {
  return {
    siteName: values.SITE_NAME,
    /** Origin of an API host that pages and browsers call; null: this process serves the API. */
    apiOrigin: values.API_ORIGIN,
    /** Another origin from which browsers load files, besides that of the API. */
    filesOrigin: values.FILES_ORIGIN,
    donationHost: values.DONATION_HOST,
    isMaintenance: values.MAINTENANCE,
    adProviders: values.AD_PROVIDERS as readonly AdProviderName[],
    /** Path of a rewarded ad unit in Google Ad Manager; null without the provider `gpt`. */
    gptAdUnit: values.AD_PROVIDERS.includes('gpt') ? values.GPT_AD_UNIT : null,
    /** Where faults of the site's security are reported, as https or mailto; '' for the contact page. */
    securityContact: values.SECURITY_CONTACT,
    /** The address of what the operator says about such reports; '' for none. */
    securityPolicy: values.SECURITY_POLICY,
  };
}

/** What pages may publish: `PublicSettings` of src/render/public-settings.ts. */
export function toPublicSettings(settings: ReturnType<typeof toPageSettings>, siteUrl: string) {
  return {
    siteName: settings.siteName,
    siteUrl,
    apiOrigin: settings.apiOrigin ?? '',
    filesOrigin: settings.filesOrigin ?? '',
    donationHost: settings.donationHost,
    isMaintenance: settings.isMaintenance,
    adProviders: settings.adProviders,
    gptAdUnit: settings.gptAdUnit ?? '',
    securityContact: settings.securityContact,
    securityPolicy: settings.securityPolicy,
  };
}

/** Parses with a schema whose keys are names of settings. Throws one `SettingsError` that lists every problem. */
export function parseEnvironment<Schema extends v.GenericSchema<unknown, unknown>>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): v.InferOutput<Schema> {
  const { success, issues, output } = v.safeParse(schema, env);
  if (success) return output;
  throw new SettingsError(issues.map(({ path, message }) => `${String(path?.[0].key)} ${message}`));
}

const requiredOrigin = v.pipe(origin(), v.string('is required.'));
const PagesAloneSchema = v.pipe(
  v.object({
    ...PAGE_SETTINGS,
    SITE_URL: requiredOrigin,
    API_ORIGIN: requiredOrigin,
  }),
  v.forward(v.partialCheck([['AD_PROVIDERS'], ['GPT_AD_UNIT']], hasAdUnit, requireAdUnit), ['GPT_AD_UNIT']),
);

/** The settings of pages without a host: an edge runtime needs `SITE_URL` and `API_ORIGIN`. Throws like `parseEnvironment`. */
export function parsePublicSettings(env: Readonly<Record<string, string | undefined>>) {
  const values = parseEnvironment(PagesAloneSchema, env);
  return toPublicSettings(toPageSettings(values), values.SITE_URL);
}
