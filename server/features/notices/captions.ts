/** Captions of ten minutes have 20 KB. */
const BYTES_MAX = 1024 * 1024;
const TIME = String.raw`(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}`;
const TIMING = new RegExp(
  `^${TIME}[ \\t]+-->[ \\t]+${TIME}(?:[ \\t]+(?:vertical|line|position|size|align):[\\w.,%-]+)*[ \\t]*$`,
);
/** The tags of cues (https://www.w3.org/TR/webvtt1/#cue-text). */
const TAG = new RegExp(`^</?(?:[bicuv]|ruby|rt|lang)(?:[. \\t][^<>&]*)?>$|^<${TIME}>$`);

/**
 * Reads WebVTT captions and writes them again with nothing but their cues: comments and styles are left out. Throws a
 * description of what is wrong.
 */
export function rewriteCaptions(bytes: Buffer): Buffer {
  if (bytes.byteLength > BYTES_MAX) throw new Error(`is larger than ${BYTES_MAX / 1024} KiB`);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  const [head = '', ...blocks] = text.split(/\n{2,}/);
  if (!/^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)/.test(head) || text.includes('\0'))
    throw new Error('does not begin like captions');
  const cues = blocks.flatMap((block) => toCue(block.replace(/^\n+|\n+$/g, '').split('\n')));
  return Buffer.from(['WEBVTT', ...cues, ''].join('\n\n').replace(/\n+$/, '\n'));
}

/** A cue without its name; nothing for other blocks. */
function toCue(lines: readonly string[]): string[] {
  const [first = '', second = ''] = lines;
  if (/^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(first) || lines.join('') === '') return [];
  const at = first.includes('-->') ? 0 : 1;
  const timing = at === 0 ? first : second;
  if (!TIMING.test(timing)) throw new Error(`has no time before ${JSON.stringify(first.slice(0, 40))}`);
  const words = lines.slice(at + 1);
  const tag = words
    .join('\n')
    .match(/<[^>]*>?/g)
    ?.find((each) => !TAG.test(each));
  if (tag !== undefined) throw new Error(`has a tag ${JSON.stringify(tag.slice(0, 40))}`);
  return [[timing, ...words].join('\n')];
}
