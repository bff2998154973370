/** What is read of a mail that came back; the original that follows is not needed. */
const READ_MAX = 256 * 1024;
const LINES_MAX = 2_000;
const ADDRESS_FIELDS = /^(?:to|delivered-to|x-original-to|envelope-to):/i;

export interface DeliveryStatus {
  /** The fields of the head that name recipients. Anyone can have written them. */
  readonly recipients: readonly string[];
  /** Only `failed` is final; `delayed` mails are still tried by another server (RFC 3464 §2.3.3). */
  readonly action: string;
  /** As in RFC 3463, such as `5.1.1`. */
  readonly status: string;
}

/**
 * The recipients of a message, and the first delivery status that it reports (RFC 3464). Undefined for a message
 * without one, such as the answer of a person who is away. Reads fields line by line and nothing else: the message
 * is from the world.
 */
export function parseDeliveryStatus(message: Uint8Array): DeliveryStatus | undefined {
  const lines = Buffer.from(message.subarray(0, READ_MAX)).toString('latin1').split(/\r?\n/, LINES_MAX);
  const headEnd = lines.indexOf('');
  const recipients = unfoldLines(lines.slice(0, headEnd === -1 ? lines.length : headEnd)).filter((line) =>
    ADDRESS_FIELDS.test(line),
  );
  const part = lines.findIndex((line) => /^content-type:\s*message\/delivery-status\b/i.test(line));
  if (part === -1 || headEnd === -1 || part < headEnd) return undefined;
  const end = lines.findIndex((line, index) => index > part && line.startsWith('--'));
  const fields = unfoldLines(lines.slice(part, end === -1 ? lines.length : end));
  const find = (pattern: RegExp) => fields.map((field) => pattern.exec(field)?.[1]).find(Boolean);
  const action = find(/^action:\s*([a-z]{1,20})\s*$/i)?.toLowerCase();
  const status = find(/^status:\s*([245]\.\d{1,3}\.\d{1,3})\b/i);
  return action === undefined || status === undefined ? undefined : { recipients, action, status };
}

/** Continued lines begin with a blank (RFC 5322 §2.2.3). */
function unfoldLines(lines: readonly string[]): string[] {
  const unfolded: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line) && unfolded.length > 0) unfolded.push(`${unfolded.pop()}${line}`);
    else unfolded.push(line);
  }
  return unfolded;
}
