import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findPort, runProgram, startProgram } from './programs.ts';
import type { Program } from './programs.ts';

/** Another mail server of the machine conflicts with the package: this names the program of an unpacked one. */
export const EXIM = process.env['EXIM'] ?? '/usr/sbin/exim4';
const LOGIN = { user: 'otoichi', password: 'testing' };

export interface Exim {
  /** `SMTP_URL`. */
  readonly url: string;
  /** The folder of the received mails, one file each. */
  readonly mails: string;
  /** The certificate of the server, which is its own authority. It names 127.0.0.1 and no other name. */
  readonly certificate: string;
  readonly version: string;
}

/**
 * An Exim on loopback that demands STARTTLS and a password. It refuses `unknown@…` with 550 and `later@…` with 451, and
 * delivers the rest into a folder. Everything is in `folder`; the configuration of the machine is not read.
 */
export async function startExim(folder: string, programs: Program[]): Promise<Exim> {
  const [key, certificate, mails] = ['key.pem', 'certificate.pem', 'mails'].map((name) => join(folder, name));
  if (key === undefined || certificate === undefined || mails === undefined) throw new Error('no names');
  await mkdir(mails, { recursive: true });
  await chmod(mails, 0o777);
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const pair = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2'];
  await runProgram('openssl', ['req', '-x509', ...pair, ...subject]);
  const port = await findPort();
  const { username } = userInfo();
  // Exim delivers nothing as root.
  const deliverer = username === 'root' ? 'nobody' : username;
  const config = join(folder, 'exim.conf');
  await writeFile(
    config,
    `primary_hostname = mail.example
exim_user = ${username}
never_users =
spool_directory = ${join(folder, 'spool')}
log_file_path = ${join(folder, '%slog')}
pid_file_path = ${join(folder, 'exim.pid')}
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
tls_advertise_hosts = *
tls_certificate = ${certificate}
tls_privatekey = ${key}
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
acl_smtp_rcpt = recipient
acl_smtp_data = content
rfc1413_query_timeout = 0s
begin acl
recipient:
  deny !authenticated = *
    message = 550 5.7.1 log in first
  deny local_parts = unknown
    message = 550 5.1.1 no such mailbox
  defer local_parts = later
    message = 451 4.2.0 try again later
  accept
content:
  accept
begin routers
all:
  driver = accept
  transport = files
begin transports
files:
  driver = appendfile
  maildir_format
  directory = ${mails}
  user = ${deliverer}
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{$auth2}{${LOGIN.user}}}{eq{$auth3}{${LOGIN.password}}}}}
  server_set_id = $auth2
`,
  );
  programs.push(await startProgram(EXIM, ['-C', config, '-bdf', '-q1m'], port));
  const url = `smtp://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${port}?requireTLS=true`;
  return { url, mails: join(mails, 'new'), certificate, version: await readEximVersion() };
}

/** Throws where it is missing. */
export async function readEximVersion(): Promise<string> {
  return /^Exim version (\S+)/m.exec(await runProgram(EXIM, ['-C', '/dev/null', '-bV']))?.[1] ?? 'unknown';
}
