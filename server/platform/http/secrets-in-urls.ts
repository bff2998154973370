/** A single test, since every request is logged and hardly any has a secret. */
const MAY_CONTAIN_SECRET =
  /(?:[?&]|%3F|%26)(?:token|(?:message_)?email_token|uid|user|signature|intent)(?:=|%3D)|\/(?:verify-email|download-intents|certificates)\//i;
const VALUES = /([?&](?:token|(?:message_)?email_token|uid|user|signature|intent)=)[^&#]*/gi;
/** `VALUES` within an address that is itself a value, such as the redirect target after log-in. */
const INNER_VALUES = /((?:%3F|%26)(?:token|(?:message_)?email_token|uid|user|signature|intent)%3D)[^&#%]*/gi;
const LINK = /(\/verify-email\/).*?(?=\/?(?:[?#]|$))/i;
const ID = /(\/(?:download-intents|certificates)\/)[^/?#]+/i;

/** A path or URL as it may be logged, without secrets that grant access to an account, a private file or a download. */
export function hideSecrets(url: string): string {
  if (!MAY_CONTAIN_SECRET.test(url)) return url;
  return url.replace(LINK, '$1…').replace(ID, '$1…').replace(VALUES, '$1…').replace(INNER_VALUES, '$1…');
}
