// A real mail server on a port of this machine, which keeps what it is given.
import { SMTPServer } from "smtp-server";
import { selfSignedCertificate } from "./certificate.ts";

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As sent: headers and parts. */
  readonly raw: string;
  /** Whether it came over an encrypted connection. */
  readonly encrypted: boolean;
  readonly user: string | null;
}

export interface MailServerOptions {
  /** How it encrypts; `none` offers nothing. */
  readonly encryption?: "starttls" | "tls" | "none";
  /** Refuses every mail. */
  readonly refuses?: boolean;
  /** Takes connections and never says a word. */
  readonly silent?: boolean;
}

export interface TestMailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Settings that send mail there. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export const MAIL_USER = "mailer";
export const MAIL_PASSWORD = "mail-password-0123";

export async function startMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const { encryption = "starttls", refuses = false, silent = false } = options;
  const mails: ReceivedMail[] = [];
  const { certificate, key } = selfSignedCertificate();
  const server = new SMTPServer({
    secure: encryption === "tls",
    cert: certificate,
    key,
    disabledCommands: encryption === "none" ? ["STARTTLS"] : [],
    authOptional: true,
    allowInsecureAuth: true,
    ...(silent ? { onConnect: () => {} } : {}),
    onAuth({ username, password }, _session, answer) {
      if (username === MAIL_USER && password === MAIL_PASSWORD) answer(null, { user: username });
      else answer(new Error("Wrong login"));
    },
    onData(stream, session, answer) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        if (refuses) return answer(Object.assign(new Error("Full"), { responseCode: 552 }));
        const { envelope, secure, user } = session;
        mails.push({
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString(),
          encrypted: secure,
          user: typeof user === "string" ? user : null,
        });
        answer();
      });
    },
  });
  server.on("error", () => {});
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await listening;
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    mails,
    variables: {
      SERVICE_SMTP_HOSTNAME: "127.0.0.1",
      SERVICE_SMTP_PORT: String(port),
      SERVICE_SMTP_USERNAME: MAIL_USER,
      SERVICE_SMTP_PASSWORD: MAIL_PASSWORD,
      SERVICE_SMTP_MAIL_FROM: "Spanlight <no-reply@example.org>",
      SERVICE_SMTP_VALIDATE_CERTS: "false",
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** Headers and parts without the folding and the numbers of quoted-printable. */
export function textOf({ raw }: ReceivedMail): string {
  return raw
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The address behind the element with this id, out of the HTML part. */
export function linkIn(mail: ReceivedMail, id: string): string {
  const text = textOf(mail);
  const href = new RegExp(`id="${id}" href="([^"]+)"`).exec(text)?.[1];
  if (href === undefined) throw new Error(`No link ${id} in the mail: ${text}`);
  return href.replaceAll("&amp;", "&");
}
