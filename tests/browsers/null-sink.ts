/**
 * A sound card that nobody hears: a private PulseAudio whose only sink drops what it plays. Browsers need one to play, and
 * its monitor tells what a person would hear.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPort, type Program, startProgram } from '../services/programs.ts';

const SINK = 'journeys';
const SAMPLES_PER_SEC = 44_100;
const FULL_SCALE = 32_768;

export const NULL_SINK_PACKAGES: readonly string[] = ['pulseaudio', 'pulseaudio-utils'];

/** Starts it, and sets the environment so that browsers that this process starts use it. */
export async function startNullSink(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'null-sink-'));
  const port = await findPort();
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, PULSE_RUNTIME_PATH: folder, PULSE_STATE_PATH: folder };
  const daemon = await startProgram(
    'env',
    [
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      'pulseaudio',
      '-n',
      '--daemonize=no',
      '--use-pid-file=no',
      '--exit-idle-time=-1',
      `--load=module-null-sink sink_name=${SINK} rate=${SAMPLES_PER_SEC}`,
      `--load=module-native-protocol-tcp listen=127.0.0.1 port=${port} auth-anonymous=1`,
    ],
    port,
  );
  process.env['PULSE_SERVER'] = `tcp:127.0.0.1:${port}`;
  // Clients would write one into the home folder.
  process.env['PULSE_COOKIE'] = join(folder, 'cookie');
  return {
    async end() {
      await daemon.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Listens to everything that plays at the sink: the loudest sample of so many milliseconds, from 0 for silence to 1. It
 * takes what plays from now on, after what the recording program needs to start.
 */
export async function recordPeak(lengthMs: number): Promise<number> {
  const bytes = Math.round((lengthMs / 1000) * SAMPLES_PER_SEC) * Int16Array.BYTES_PER_ELEMENT;
  const recorder = spawn(
    'parec',
    [
      `--device=${SINK}.monitor`,
      '--raw',
      '--format=s16le',
      '--channels=1',
      `--rate=${SAMPLES_PER_SEC}`,
      '--latency-msec=20',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of recorder.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytes) break;
  }
  recorder.kill();
  if (size < bytes) throw new Error(`parec ended after ${size} bytes`);
  const recorded = Buffer.concat(chunks);
  let peak = 0;
  for (let at = 0; at + 1 < bytes; at += 2) peak = Math.max(peak, Math.abs(recorded.readInt16LE(at)));
  return peak / FULL_SCALE;
}
