// Conversations with real mail servers of every kind: encrypted or not at all, and bounded in time.
import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import type { MailConfig } from "../../../../src/config/mail.ts";
import { createLogger } from "../../../../src/kernel/logger.ts";
import { createMailService } from "../../../../src/modules/accounts/mail/mail.service.ts";
import { passwordResetMail, welcomeMail } from "../../../../src/modules/accounts/mail/mail-texts.rules.ts";
import { createSmtpSender } from "../../../../src/modules/accounts/mail/smtp.service.ts";
import {
  linkIn,
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServerOptions,
  startMailServer,
  type TestMailServer,
} from "../../../support/mail-server.ts";

const LIMIT_MS = 5000;
const opened: TestMailServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function open(options: MailServerOptions = {}): Promise<TestMailServer> {
  const server = await startMailServer(options);
  opened.push(server);
  return server;
}

function configOf(port: number, changes: Partial<MailConfig> = {}): MailConfig {
  return {
    host: "127.0.0.1",
    port,
    login: { username: MAIL_USER, password: MAIL_PASSWORD },
    from: "Spanlight <no-reply@example.org>",
    validateCertificates: false,
    ...changes,
  };
}

const mail = passwordResetMail("ann@example.com", "https://example.org/reset?token=a&b=<c>");
const told = (sent: Promise<unknown>) =>
  sent.then(
    () => "sent",
    (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`,
  );

describe("a mail", () => {
  test("goes over STARTTLS, signed in, with text and HTML", async () => {
    const server = await open();
    expect(await told(createSmtpSender(configOf(server.port)).send(mail, LIMIT_MS))).toBe("sent");
    const [received] = server.mails;
    expect(received).toMatchObject({ encrypted: true, user: MAIL_USER, to: ["ann@example.com"] });
    expect(received!.raw).toContain("multipart/alternative");
    expect(linkIn(received!, "reset-url")).toBe("https://example.org/reset?token=a&b=<c>".replace("<c>", "&lt;c&gt;"));
  });

  test("goes over TLS to a server that speaks nothing else, the second time without a detour", async () => {
    const server = await open({ encryption: "tls" });
    const sender = createSmtpSender(configOf(server.port));
    expect(await told(sender.send(mail, LIMIT_MS))).toBe("sent");
    // Half of this is less than a silent first attempt would be given time for.
    expect(await told(sender.send(mail, 1000))).toBe("sent");
    expect(server.mails.map(({ encrypted }) => encrypted)).toEqual([true, true]);
    expect(await sender.check(1000)).toBe("TLS");
  });

  test("goes to a relay without a login", async () => {
    const server = await open();
    expect(await told(createSmtpSender(configOf(server.port, { login: null })).send(mail, LIMIT_MS))).toBe("sent");
    expect(server.mails[0]?.user).toBeNull();
  });

  test("goes nowhere in the clear, nor does the password", async () => {
    const server = await open({ encryption: "none" });
    const sent = await told(createSmtpSender(configOf(server.port)).send(mail, LIMIT_MS));
    expect(sent).toStartWith("The mail server did not take the mail: ");
    expect(sent).not.toContain(MAIL_PASSWORD);
    expect(server.mails).toEqual([]);
  });

  test("is not sent to a server with an invalid certificate, unless that was asked for", async () => {
    const server = await open();
    const sender = createSmtpSender(configOf(server.port, { validateCertificates: true }));
    expect(await told(sender.send(mail, LIMIT_MS))).toMatch(/certificate/i);
    expect(server.mails).toEqual([]);
  });

  test("is not sent with a wrong password, nor to a server that refuses it", async () => {
    const server = await open();
    const wrong = { username: MAIL_USER, password: "not-the-password" };
    expect(await told(createSmtpSender(configOf(server.port, { login: wrong })).send(mail, LIMIT_MS))).not.toBe("sent");
    const refusing = await open({ refuses: true });
    expect(await told(createSmtpSender(configOf(refusing.port)).send(mail, LIMIT_MS))).toContain("552");
    expect([...server.mails, ...refusing.mails]).toEqual([]);
  });

  test("that is not accepted in time is given up", async () => {
    const silent: Server = createServer((socket) => void socket.on("error", () => {}));
    const { promise: listening, resolve } = Promise.withResolvers<void>();
    silent.listen(0, "127.0.0.1", resolve);
    await listening;
    const { port } = silent.address() as { port: number };
    expect(await told(createSmtpSender(configOf(port)).send(mail, 400))).not.toBe("sent");
    silent.close();
    expect(await told(createSmtpSender(configOf(port)).send(mail, 400))).not.toBe("sent");
  });
});

describe("sending", () => {
  test("never throws: the log says what happened, without addresses, links or passwords", async () => {
    const lines: string[] = [];
    const log = createLogger({ level: "debug", mode: "default", write: (line) => lines.push(line) });
    const server = await open({ refuses: true });
    const service = createMailService(createSmtpSender(configOf(server.port)), log);
    expect(await service.send(mail)).toBe(false);
    for (const to of ["admin@localhost", "x@y.test", "nobody", "a@b.com\r\nBcc: evil@example.com"]) {
      expect(await service.send({ ...mail, to })).toBe(false);
    }
    expect(lines.length).toBe(5);
    const all = lines.join();
    for (const secret of ["ann@example.com", "token=", MAIL_PASSWORD, "evil"]) expect(all).not.toContain(secret);
  });

  test("a name cannot become another header or an element of the page", async () => {
    const server = await open();
    const service = createMailService(
      createSmtpSender(configOf(server.port)),
      createLogger({ level: "critical", mode: "default" }),
    );
    const username = 'Ann\r\nBcc: evil@example.com\r\n\r\n<script>alert("x")</script>';
    expect(await service.send(welcomeMail("ann@example.com", { username, url: "https://example.org" }))).toBe(true);
    const { raw, to } = server.mails[0]!;
    expect(to).toEqual(["ann@example.com"]);
    expect(raw.split("\r\n\r\n", 1)[0]).not.toMatch(/^Bcc:/im);
    const html = raw.slice(raw.indexOf("text/html"));
    expect(html).not.toContain("<script>");
    expect(linkIn(server.mails[0]!, "welcome-url")).toBe("https://example.org");
  });
});
