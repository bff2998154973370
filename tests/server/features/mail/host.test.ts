import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, type Socket, createServer as createTcpServer } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openHost } from '#server/host.ts';
import { parseSettings } from '#server/settings.ts';
import { makeFolder } from '#support/files/folders.ts';
import { readOutbox } from '#support/members/mails.ts';
import { toOutput } from '#support/http/host.ts';

const MESSAGE = { name: '花子', email: 'hanako@example.test', message: 'canary-message' };

async function startHost(env: Record<string, string> = {}) {
  const folder = join(await makeFolder(), 'data');
  const lines: string[] = [];
  const output = toOutput((line) => void lines.push(line));
  const host = await openHost(parseSettings({ DATA_DIR: folder, PORT: '0', ...env }), output);
  const server = createServer((req, res) => void host.parts.api?.(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () => {
    server.close();
    server.closeAllConnections();
    return (closed ??= host.close());
  };
  onTestFinished(close);
  return {
    outbox: join(folder, 'outbox'),
    lines,
    close,
    sendContact: () =>
      fetch(`http://127.0.0.1:${port}/api/contact/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(MESSAGE),
      }),
  };
}

test('a mail is in the folder within a second of its call, and the log names the file', async () => {
  const { outbox, lines, sendContact, close } = await startHost({ OPERATOR_EMAIL: 'operator@example.test' });
  expect((await sendContact()).status).toBe(200);
  await expect
    .poll(() => readOutbox(outbox).catch(() => []), { timeout: 1_000, interval: 20 })
    .toHaveLength(1);
  const [mail] = await readOutbox(outbox);
  expect(mail!.header('To')).toBe('operator@example.test');
  expect(mail!.text).toContain('canary-message');
  await close();
  const sent = lines.find((line) => line.includes('mail sent'));
  expect(sent).toContain(join(outbox, (await readdir(outbox))[0]!));
  expect(lines.join('')).not.toMatch(/canary|operator@|hanako/);
});

test('a call is answered while the mail server does not greet', async () => {
  const sockets: Socket[] = [];
  let hangsUp = false;
  const silent = createTcpServer((socket) => (hangsUp ? socket.destroy() : sockets.push(socket)));
  silent.listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { sendContact, lines } = await startHost({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  expect((await sendContact()).status).toBe(200);
  expect(lines.join('')).not.toContain('mail delivery failed');
  await expect.poll(() => sockets.length).toBeGreaterThan(0);
  hangsUp = true;
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => lines.join('')).toContain('mail delivery failed, will retry');
});
