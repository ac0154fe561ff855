// A new password by mail, over a real conversation with a real mail server, on both databases.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { forEachDriver } from "../support/drivers.ts";
import { linkIn, startMailServer, type TestMailServer } from "../support/mail-server.ts";
import {
  ADMIN_SECRET,
  addUser,
  movableClock,
  openSignInServer,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";

const MINUTE = 60_000;

forEachDriver("password reset", (driver) => {
  const clock = movableClock();
  let mailServer: TestMailServer;
  let server: SignInServer;
  /** Another server over the same database. */
  let other: SignInServer;
  const opened: SignInServer[] = [];
  const open = async (variables: Record<string, string>, url?: string) => {
    const more = await openSignInServer(url ?? (await driver.createDatabase()), { clock, variables });
    opened.push(more);
    return more;
  };
  beforeAll(async () => {
    mailServer = await startMailServer();
    const url = await driver.createDatabase();
    const variables = { ...mailServer.variables, SERVICE_ROOT_URL: "https://traces.example.com/sub/" };
    server = await open(variables, url);
    other = await open(variables, url);
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
    await mailServer.close();
  });

  const ask = (email: unknown, headers: Record<string, string> = {}, at = server) =>
    shown(at.send("POST /auth/password-reset-email", { json: { email }, headers }));
  const reset = (token: unknown, password: unknown, at = server) =>
    shown(at.send("POST /auth/password-reset", { json: { token, password } }));
  /** The link in the newest mail. */
  const newestLink = () => new URL(linkIn(mailServer.mails.at(-1)!, "reset-url"));
  async function askToken(email: string): Promise<string> {
    expect(await ask(email)).toBe("204");
    return newestLink().searchParams.get("token")!;
  }

  test("the mail is with the mail server before the answer, encrypted, with the link of SERVICE_ROOT_URL", async () => {
    const { email } = await addUser(server, "Mailed", "MEMBER");
    const before = mailServer.mails.length;
    expect(await ask(` ${email.toUpperCase()} `, { referer: "https://evil.example/login", host: "evil.example" })).toBe(
      "204",
    );
    expect(mailServer.mails.length).toBe(before + 1);
    const mail = mailServer.mails.at(-1)!;
    expect(mail).toMatchObject({ to: [email], from: "no-reply@example.org", encrypted: true, user: "mailer" });
    expect(mail.raw).toContain("Subject: [Spanlight] Password Reset Request");
    expect(mail.raw).toContain("text/plain");
    expect(newestLink().href).toStartWith("https://traces.example.com/sub/reset-password-with-token?token=");
  });

  test("sets the password once, ends every sign-in, leaves API keys, and clears the lock-out", async () => {
    const { id, email, password } = await addUser(server, "Forgot", "MEMBER");
    const cookies = await signIn(server, email, password);
    const made = await server.send("POST /v1/user/api_keys", { cookies, json: { data: { name: "mine" } } });
    const { data } = (await made.json()) as { data: { key: string } };
    for (let failure = 0; failure < 5; failure++) {
      await server.send("POST /auth/login", { json: { email, password: "wrong" } });
    }
    const token = await askToken(email);
    expect(await shown(server.send("GET /v1/user", { cookies }))).toStartWith("200");
    expect(await reset(token, "my new-password")).toBe("422 Password must not contain whitespace characters");
    expect(await reset(token, "")).toBe("422 Password required");
    expect(await reset(token, "my-new-password")).toBe("204");
    expect(await shown(server.send("GET /v1/user", { cookies }))).toBe("401 Invalid token");
    expect(await shown(server.send("POST /auth/refresh", { cookies }))).toBe("401 Invalid refresh token");
    expect(await shown(server.send("GET /v1/user", { bearer: data.key }))).toStartWith("200");
    expect(await reset(token, "another-password")).toBe("401 Invalid token");
    await signIn(server, email, "my-new-password");
    expect(await shown(server.send("POST /auth/login", { json: { email, password } }))).toStartWith("401");
    expect(await server.signIns.accounts.users.findUser(server.context(), { id })).toMatchObject({
      passwordChange: "none",
    });
  });

  test("of ten uses of one link at once one succeeds", async () => {
    const { email } = await addUser(server, "Eager", "MEMBER");
    const token = await askToken(email);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => reset(token, `password-${at}`)));
    expect(answers.filter((answer) => answer === "204").length).toBe(1);
    expect(answers.filter((answer) => answer === "401 Invalid token").length).toBe(9);
    await signIn(server, email, `password-${answers.indexOf("204")}`);
  });

  test("a second request kills the first link; a mere request changes nothing", async () => {
    const { email, password } = await addUser(server, "Doubting", "MEMBER");
    const first = await askToken(email);
    const second = await askToken(email);
    expect(await reset(first, "taken-over")).toBe("401 Invalid token");
    await signIn(server, email, password);
    expect(await reset(second, "chosen-anew")).toBe("204");
  });

  describe("a link ends with the password that it would replace", () => {
    const PATCH = {
      owner: "mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { user { id } } }",
      administrator: "mutation ($input: PatchUserInput!) { patchUser(input: $input) { user { id } } }",
    };
    for (const by of ["owner", "administrator"] as const) {
      test(`changed by its ${by}, on another server too`, async () => {
        const { id, email, password } = await addUser(server, `Changed-by-${by}`, "MEMBER");
        const cookies = await signIn(server, email, password);
        const token = await askToken(email);
        const newPassword = "changed-since";
        const input = by === "owner" ? { currentPassword: password } : { userId: globalId("User", id) };
        const answer = await other.send("POST /graphql", {
          ...(by === "owner" ? { cookies } : { bearer: ADMIN_SECRET }),
          json: { query: PATCH[by], variables: { input: { ...input, newPassword } } },
        });
        expect(await answer.text()).not.toContain("errors");
        for (const at of [server, other]) expect(await reset(token, "taken-over", at)).toBe("401 Invalid token");
        await signIn(server, email, newPassword);
        expect(await reset(await askToken(email), "by-a-later-link")).toBe("204");
      });
    }

    test("but not with a new name or a new role", async () => {
      const { id, email } = await addUser(server, "Kept", "MEMBER");
      const token = await askToken(email);
      const changes = { role: "VIEWER", username: "Kept at last", password: null } as const;
      await server.signIns.accounts.userChanges.changeUser(server.context(), id, changes);
      expect(await reset(token, "still-good")).toBe("204");
    });
  });

  test("neither the old password nor the documented one is taken, and the link stays", async () => {
    const { email, password } = await addUser(server, "Lazy", "MEMBER");
    const token = await askToken(email);
    expect(await reset(token, password)).toBe("422 Password must differ from the current one");
    expect(await reset(token, "admin")).toBe("422 Password must not be the one that the documentation names");
    expect(await reset(token, "another-one")).toBe("204");
  });

  test("a link is over after its time, with its account, and for another kind of token", async () => {
    const { id, email, password } = await addUser(server, "Late", "MEMBER");
    const cookies = await signIn(server, email, password);
    const late = await askToken(email);
    clock.forward(15 * MINUTE);
    expect(await reset(late, "too-late")).toBe("401 Invalid token");
    const token = await askToken(email);
    expect(await shown(server.send("GET /v1/user", { bearer: token }))).toBe("401 Invalid token");
    for (const other of [...Object.values(cookies), ADMIN_SECRET, "x", "", 5, null]) {
      expect(await reset(other, "something")).toBe("401 Invalid token");
    }
    await server.signIns.accounts.users.deleteUsers(server.context(), [id]);
    expect(await reset(token, "from-the-grave")).toBe("401 Invalid token");
  });

  describe("an address without a mail", () => {
    test("is answered like one with: unknown, of another kind, not reachable, the system account", async () => {
      const common = { passwordOptional: false, password: null, sendWelcome: false, role: "MEMBER" as const };
      const { users } = server.signIns.accounts;
      for (const authMethod of ["LDAP", "OAUTH2"] as const) {
        const email = `${authMethod.toLowerCase()}@example.com`;
        await users.createUser(server.context(), { ...common, authMethod, email, username: authMethod });
      }
      const before = mailServer.mails.length;
      for (const email of [
        "nobody@example.com",
        "ldap@example.com",
        "oauth2@example.com",
        "admin@localhost",
        "system@localhost",
        "not an address",
        "a@b.example\r\nBcc: evil@example.com",
      ]) {
        expect(await ask(email)).toBe("204");
      }
      expect(mailServer.mails.length).toBe(before);
    });

    test("names what is missing", async () => {
      for (const email of ["", "  ", undefined, 5, ["a@example.com"]]) {
        expect(await ask(email)).toBe("422 Email required");
      }
    });
  });

  test("without SERVICE_ROOT_URL the link leads to a trusted page or to ourselves, never to whoever asks", async () => {
    const trusting = await open({
      ...mailServer.variables,
      SERVICE_CSRF_TRUSTED_ORIGINS: "https://pages.example.com, http://Pages.example.com:8080",
      SERVICE_HOST_ROOT_PATH: "/sub",
      SERVICE_PORT: "6123",
    });
    const plain = await open(mailServer.variables);
    for (const each of [trusting, plain]) await addUser(each, "Linked", "MEMBER");
    const linkAfter = async (at: SignInServer, headers: Record<string, string>) => {
      expect(await ask("linked@example.com", headers, at)).toBe("204");
      return newestLink().href.split("?")[0];
    };
    expect(await linkAfter(trusting, { referer: "https://PAGES.example.com/forgot?x=1" })).toBe(
      "https://pages.example.com/sub/reset-password-with-token",
    );
    expect(await linkAfter(trusting, { referer: "http://pages.example.com:8080/" })).toBe(
      "http://pages.example.com:8080/sub/reset-password-with-token",
    );
    // A trusted host alone says nothing about who answers on its other ports, or without encryption.
    for (const referer of [
      "http://pages.example.com/",
      "https://pages.example.com:9999/",
      "ftp://pages.example.com/",
    ]) {
      expect(await linkAfter(trusting, { referer })).toBe("http://127.0.0.1:6123/sub/reset-password-with-token");
    }
    expect(await linkAfter(trusting, { "x-forwarded-host": "evil.example" })).toBe(
      "http://127.0.0.1:6123/sub/reset-password-with-token",
    );
    expect(await ask("linked@example.com", { referer: "https://evil.example/" }, trusting)).toBe(
      "401 untrusted referer",
    );
    for (const headers of [{ referer: "https://evil.example/" }, { host: "evil.example" }]) {
      expect(await linkAfter(plain, headers as unknown as Record<string, string>)).toBe(
        "http://127.0.0.1:6006/reset-password-with-token",
      );
    }
  });

  test("without SERVICE_SMTP_MAIL_FROM the mail comes from this service", async () => {
    const { SERVICE_SMTP_MAIL_FROM, ...variables } = mailServer.variables;
    expect(SERVICE_SMTP_MAIL_FROM).toBeDefined();
    const named = await open({ ...variables, SERVICE_ROOT_URL: "https://traces.example.org/" });
    const numbered = await open(variables);
    for (const [at, from] of [
      [named, "spanlight@traces.example.org"],
      [numbered, "spanlight@[127.0.0.1]"],
    ] as const) {
      const { email } = await addUser(at, "Sender", "MEMBER");
      expect(await ask(email, {}, at)).toBe("204");
      expect(mailServer.mails.at(-1)).toMatchObject({ to: [email], from });
    }
  });

  test("a mail that is refused or a server that is away is reported in the log only", async () => {
    const refusing = await startMailServer({ refuses: true });
    const away = await open({ ...refusing.variables });
    const { email } = await addUser(away, "Unlucky", "MEMBER");
    expect(await ask(email, {}, away)).toBe("204");
    await refusing.close();
    expect(await ask(email, {}, away)).toBe("204");
    const told = away.lines.filter((line) => line.includes("a mail was not sent"));
    expect(told.length).toBe(2);
    expect(told.join()).not.toContain("token=");
  });

  test("nothing is sent in the clear", async () => {
    const open552 = await startMailServer({ encryption: "none" });
    const careful = await open({ ...open552.variables });
    const { email } = await addUser(careful, "Careful", "MEMBER");
    expect(await ask(email, {}, careful)).toBe("204");
    expect(open552.mails).toEqual([]);
    await open552.close();
  });

  test("without a mail server there is no reset mail", async () => {
    const mute = await open({});
    expect(await ask("anybody@example.com", {}, mute)).toBe("503 SMTP server not configured");
    expect(await ask("", {}, mute)).toBe("422 Email required");
  });

  test("a welcome leads to the address of the service", async () => {
    const response = await server.send("POST /v1/users", {
      bearer: ADMIN_SECRET,
      json: {
        user: {
          auth_method: "LOCAL",
          email: "new@example.com",
          username: "<b>New</b>",
          role: "MEMBER",
          password: "abcd",
        },
      },
    });
    expect(response.status).toBe(201);
    const mail = mailServer.mails.at(-1)!;
    expect(mail.to).toEqual(["new@example.com"]);
    expect(mail.raw).toContain("Subject: [Spanlight] Welcome to Spanlight");
    expect(mail.raw).toContain("&lt;b&gt;New&lt;/b&gt;");
    expect(linkIn(mail, "welcome-url")).toBe("https://traces.example.com/sub");
  });
});
