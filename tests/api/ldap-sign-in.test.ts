// Signing in by a real directory, over HTTP and on both databases.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { passwordOf } from "../support/directory-tree.ts";
import { forEachDriver } from "../support/drivers.ts";
import { AUTHORITIES, ldapLogin, ldapVariables } from "../support/ldap-sign-in.ts";
import {
  ACCESS,
  addUser,
  cookiesOf,
  openSignInServer,
  REFRESH,
  type SignInServer,
  shown,
  signIn,
} from "../support/sign-in.ts";
import { describeWithSlapd, type RunningSlapd, startSlapd } from "../support/slapd.ts";

const WRONG = "401 Invalid username and/or password";
const MISSING = "401 Username and password required";

describeWithSlapd("signing in by a directory", () => {
  let slapd: RunningSlapd;
  beforeAll(async () => {
    slapd = await startSlapd();
  });
  afterAll(() => slapd.stop());

  forEachDriver("accounts", (driver) => {
    let url: string;
    const opened: SignInServer[] = [];
    const open = async (changes: Record<string, string | undefined> = {}) => {
      const server = await openSignInServer(url, {
        variables: { ...ldapVariables(slapd), ...changes },
        files: { [AUTHORITIES]: slapd.certificate.certificate },
      });
      opened.push(server);
      return server;
    };
    let server: SignInServer;
    beforeAll(async () => {
      url = await driver.createDatabase();
      server = await open();
    });
    afterAll(async () => {
      for (const each of opened) await each.close();
    });

    const login = (username: unknown, password: unknown, on = server) => shown(ldapLogin(on, username, password));
    const accountOf = (email: string) => server.signIns.accounts.users.findUser(server.context(), { email });

    test("answers without a body, with the cookies of every sign-in", async () => {
      const response = await ldapLogin(server, " ada ", passwordOf("ada"));
      expect(response.status).toBe(204);
      const cookies = cookiesOf(response);
      expect(Object.keys(cookies)).toEqual([ACCESS, REFRESH]);
      const viewer = (await (await server.send("GET /v1/user", { cookies })).json()) as { data: unknown };
      expect(viewer.data).toMatchObject({
        auth_method: "LDAP",
        username: "Ada Lovelace",
        email: "ada@example.com",
        role: "ADMIN",
      });
      expect(await accountOf("ada@example.com")).toMatchObject({ ldapUniqueId: null, passwordChange: "none" });
      // The same person, whatever the letter case of the name.
      expect(await login("ADA", passwordOf("ada"))).toBe("204");
    });

    test("ends everywhere by signing out, and is renewed as any other", async () => {
      const cookies = cookiesOf(await ldapLogin(server, "ada", passwordOf("ada")));
      const renewed = await server.send("POST /auth/refresh", { cookies });
      expect(renewed.status).toBe(204);
      const out = await server.send("GET /auth/logout", { cookies: cookiesOf(renewed) });
      expect([out.status, out.headers.get("location")]).toEqual([302, "/login"]);
      expect((await server.send("GET /v1/user", { cookies: cookiesOf(renewed) })).status).toBe(401);
    });

    test("gives the role of the groups at every sign-in; an account of an administrator finds its owner", async () => {
      const made = await server.send("POST /v1/users", {
        cookies: await signIn(server),
        json: { user: { auth_method: "LDAP", email: "bob@example.com", username: "Robert", role: "VIEWER" } },
      });
      expect(made.status).toBe(201);
      expect(await login("bob", passwordOf("bob"))).toBe("204");
      expect(await accountOf("bob@example.com")).toMatchObject({ username: "Robert", role: "MEMBER" });
    });

    test("without sign-up only those who have an account come in", async () => {
      const closed = await open({ SERVICE_LDAP_ALLOW_SIGN_UP: "false" });
      expect(await login("cleo", passwordOf("cleo"), closed)).toBe(WRONG);
      expect(await accountOf("cleo@example.com")).toBeNull();
      expect(await login("ada", passwordOf("ada"), closed)).toBe("204");
      expect(closed.lines.join("\n")).toContain("step=account reason=sign_up_off");
    });

    test("an account with a password of ours is never taken over", async () => {
      const { email } = await addUser(server, "Zoe", "VIEWER");
      expect(await login("zoë", passwordOf("zoë"))).toBe(WRONG);
      expect(await accountOf(email)).toMatchObject({ authMethod: "LOCAL", role: "VIEWER" });
    });

    test("by unique id the account outlives a new address, and a recycled address does not inherit it", async () => {
      const byId = await open({ SERVICE_LDAP_ATTR_UNIQUE_ID: "entryuuid" });
      const uid = `moved-${driver.name}`;
      const name = `uid=${uid},ou=people,dc=example,dc=com`;
      const add = (mail: string) =>
        slapd.change(async (administrator) => {
          const common = { objectClass: "inetOrgPerson", cn: uid, sn: uid, userPassword: "moved-password" };
          await administrator.add(name, { ...common, mail });
          await administrator.add(`cn=${uid},ou=groups,dc=example,dc=com`, {
            objectClass: "groupOfNames",
            member: name,
          });
        });
      const everybody = { SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"VIEWER"}]' };
      const open2 = await open({ SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID", ...everybody });
      await add(`${uid}@example.com`);
      expect(await login(uid, "moved-password", open2)).toBe("204");
      const first = await accountOf(`${uid}@example.com`);
      await slapd.change(async (administrator) => {
        await administrator.del(`cn=${uid},ou=groups,dc=example,dc=com`);
        await administrator.del(name);
      });
      await add(`${uid}@example.com`);
      expect(await login(uid, "moved-password", open2)).toBe(WRONG);
      expect(open2.lines.join("\n")).toContain("step=account reason=email_of_other_identity");
      expect(first?.ldapUniqueId).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      expect(await login("ada", passwordOf("ada"), byId)).toBe("204");
      expect((await accountOf("ada@example.com"))?.ldapUniqueId).toMatch(/^[0-9a-f-]{36}$/);
    });

    test("without addresses people are known by their unique id alone", async () => {
      const nameless = await open({ SERVICE_LDAP_ATTR_EMAIL: "null", SERVICE_LDAP_ATTR_UNIQUE_ID: "entryUUID" });
      const cookies = cookiesOf(await ldapLogin(nameless, "cleo", passwordOf("cleo")));
      const viewer = (await (await nameless.send("GET /v1/user", { cookies })).json()) as { data: unknown };
      expect(viewer.data).toMatchObject({ auth_method: "LDAP", email: "", role: "MEMBER" });
      expect(await login("cleo", passwordOf("cleo"), nameless)).toBe("204");
    });

    test("one refusal for whatever is wrong with a person; the log has the reason and no value", async () => {
      server.lines.length = 0;
      const cases: readonly (readonly [unknown, unknown, string, string])[] = [
        ["", "x", MISSING, ""],
        ["ada", "", MISSING, ""],
        ["  ", "x", MISSING, ""],
        [["ada"], "x", MISSING, ""],
        ["ada", { length: 1 }, MISSING, ""],
        ["ada", "wrong", WRONG, "step=password reason=wrong_password"],
        ["nobody", "wrong", WRONG, "step=person reason=not_found"],
        ["twin", passwordOf("twin"), WRONG, "step=person reason=ambiguous"],
        [
          "eve",
          passwordOf("eve"),
          WRONG,
          "step=attributes reason=email_missing server=127.0.0.1 attributes=displayname",
        ],
        ["dan", passwordOf("dan"), WRONG, "step=role reason=no_role server=127.0.0.1 groups=0 attributes=mail"],
        ["x".repeat(257), "x", WRONG, "step=input reason=username_too_long"],
        ["ada", "x".repeat(1025), WRONG, "step=input reason=password_too_long"],
        ["*", passwordOf("ada"), WRONG, "step=person reason=not_found"],
        ["ad*", passwordOf("ada"), WRONG, "step=person reason=not_found"],
        ["ada)(uid=*", passwordOf("ada"), WRONG, "step=person reason=not_found"],
        ["ada\0", passwordOf("ada"), WRONG, "step=person reason=not_found"],
        ["ada@example.com", passwordOf("ada"), WRONG, "step=person reason=not_found"],
      ];
      for (const [username, password, expected, reason] of cases) {
        const before = server.lines.length;
        const response = await ldapLogin(server, username, password);
        expect(response.headers.getSetCookie()).toEqual([]);
        expect(response.headers.get("x-request-id")).not.toBeEmpty();
        const reference = response.headers.get("x-request-id")!;
        expect(`${username}: ${await shown(response)}`).toBe(`${username}: ${expected}`);
        const said = server.lines.slice(before).filter((line) => line.includes("sign-in refused"));
        expect(said.length).toBe(reason === "" ? 0 : 1);
        if (reason === "") continue;
        expect(said[0]).toContain(reason);
        expect(said[0]).toContain(`request_id=${reference}`);
      }
      const log = server.lines.join("\n");
      for (const value of ["wrong", "example.com", passwordOf("ada"), "Ada"]) expect(log).not.toContain(`${value} `);
      expect(log).not.toContain("dc=example");
    });

    test("names that mean something in a filter or a distinguished name are names like others", async () => {
      const everybody = await open({ SERVICE_LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"VIEWER"}]' });
      for (const [uid, email] of [
        ["a*(b)\\", "star@example.com"],
        ["Lovelace, Ada+x", "comma@example.com"],
      ] as const) {
        expect(await login(uid, passwordOf(uid), everybody)).toBe("204");
        expect(await accountOf(email)).toMatchObject({ username: uid, role: "VIEWER" });
      }
    });

    test("the lock-out is that of passwords: one count for a name, wherever it is typed", async () => {
      const { email, password } = await addUser(server, "Locked", "MEMBER");
      for (let attempt = 0; attempt < 3; attempt++) expect(await login(email, "wrong")).toBe(WRONG);
      for (let attempt = 0; attempt < 2; attempt++) {
        expect((await server.send("POST /auth/login", { json: { email, password: "wrong" } })).status).toBe(401);
      }
      const locked = "429 Too many failed login attempts. Please try again later.";
      expect(await login(` ${email.toUpperCase()}`, "wrong")).toBe(locked);
      expect(await shown(server.send("POST /auth/login", { json: { email, password } }))).toBe(locked);
    });

    test("a sign-in clears the count, and what was missing is not counted", async () => {
      expect(await login("cleo", passwordOf("cleo"))).toBe("204");
      const tries = ["wrong", "wrong", "wrong", "wrong", "", passwordOf("cleo"), "wrong", "wrong", "wrong", "wrong"];
      for (const password of tries) expect(await login("cleo", password)).not.toStartWith("429");
      expect(await login("cleo", passwordOf("cleo"))).toBe("204");
    });

    test("stays when passwords of ours are switched off; administrators of the settings are made for the directory", async () => {
      const only = await open({ SERVICE_DISABLE_BASIC_AUTH: "true", SERVICE_ADMINS: "boss=boss@example.com" });
      expect(await accountOf("boss@example.com")).toMatchObject({ authMethod: "LDAP", role: "ADMIN" });
      expect(await shown(only.send("POST /auth/login", { json: { email: "a@b.co", password: "x" } }))).toBe(
        "403 Forbidden",
      );
      const response = await ldapLogin(only, "cleo", passwordOf("cleo"));
      expect(response.status).toBe(204);
      const out = await only.send("GET /auth/logout", { cookies: cookiesOf(response) });
      expect(out.headers.get("location")).toBe("/logout");
    });

    test("the route is not there without a directory", async () => {
      const without = await openSignInServer(url);
      opened.push(without);
      expect((await ldapLogin(without, "ada", passwordOf("ada"))).status).not.toBe(401);
      expect((await ldapLogin(without, "ada", passwordOf("ada"))).ok).toBeFalse();
    });

    test("a directory that is away blocks no sign-in: it is reported, not counted, and logged", async () => {
      const away = await open({ SERVICE_LDAP_HOST: "127.0.0.1", SERVICE_LDAP_PORT: "1" });
      for (let attempt = 0; attempt < 7; attempt++) {
        expect(await login("cleo", "wrong", away)).toBe("503 Authentication service unavailable");
      }
      const log = away.lines.join("\n");
      expect(log).toContain("a server of the directory did not do its part");
      expect(log).toContain("server=127.0.0.1 step=connect reason=ECONNREFUSED");
      expect(log).toContain("no server of the directory answered");
    });
  });
});
