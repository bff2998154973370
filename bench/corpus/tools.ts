import { spawnSync } from 'node:child_process';

/** The installed FFmpeg and LAME; the project itself does not need them. */

export const TOOLS = ['ffmpeg', 'ffprobe', 'lame'] as const;

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export interface Run {
  readonly isFine: boolean;
  readonly output: Buffer;
  readonly complaints: string;
}

export function run(tool: (typeof TOOLS)[number], args: readonly string[]): Run {
  const { status, stdout, stderr } = spawnSync(tool, args, { maxBuffer: OUTPUT_BYTES_MAX });
  const complaints = stderr?.toString() ?? '';
  return { isFine: status === 0, output: stdout ?? Buffer.alloc(0), complaints };
}

/** Throws with the tool's output. */
export function runOrThrow(tool: (typeof TOOLS)[number], args: readonly string[]): Buffer {
  const { isFine, output, complaints } = run(tool, args);
  if (!isFine) throw new Error(`${tool} ${args.join(' ')}\n${complaints}`);
  return output;
}

export function findMissingTools(): string[] {
  return TOOLS.filter((tool) => spawnSync(tool, [tool === 'lame' ? '--version' : '-version']).status !== 0);
}

/** FFmpeg's description of a file. */
export interface Probed {
  readonly seconds: number;
  readonly sampleRateHz: number;
  /** Names of tags, except those that every file of its kind has. */
  readonly tags: readonly string[];
  readonly streams: number;
}

const OF_THE_FORMAT = new Set([
  'major_brand',
  'minor_version',
  'compatible_brands',
  'language',
  'handler_name',
  'vendor_id',
  // The name of the encoder in the first frame of an MP3.
  'encoder',
]);

export function probe(path: string): Probed {
  const shown = ['-v', 'error', '-show_format', '-show_streams', '-of', 'json', path];
  const { format, streams } = JSON.parse(runOrThrow('ffprobe', shown).toString()) as {
    format: { duration?: string; tags?: Record<string, string> };
    streams: { codec_type: string; sample_rate?: string; tags?: Record<string, string> }[];
  };
  const sound = streams.find(({ codec_type }) => codec_type === 'audio');
  const tags = [format.tags, ...streams.map((stream) => stream.tags)].flatMap((some) =>
    Object.keys(some ?? {}),
  );
  return {
    seconds: Number(format.duration),
    sampleRateHz: Number(sound?.sample_rate),
    tags: tags.filter((tag) => !OF_THE_FORMAT.has(tag)),
    streams: streams.length,
  };
}

/** The samples of the first audio stream of a file, 16 bits each, and FFmpeg's warnings. */
export function decode(path: string): Run {
  return run('ffmpeg', ['-v', 'error', '-i', path, '-map', '0:a:0', '-f', 's16le', '-']);
}
