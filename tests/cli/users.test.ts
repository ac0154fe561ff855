// `spanlight users` as an operator runs it: the way back in, on both databases.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountsOver, countCredentials, insertCredentials, type TestAccounts } from "../support/accounts.ts";
import { forEachDriver } from "../support/drivers.ts";
import { runCommand } from "../support/server.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

forEachDriver("spanlight users", (driver) => {
  let url: string;
  let folder: string;
  let stored: TestStorage;
  let accounts: TestAccounts;
  beforeAll(async () => {
    url = await driver.createEmptyDatabase();
    folder = await mkdtemp(join(tmpdir(), "spanlight-users-"));
    // Stands for a service that runs meanwhile: the file stays open, its writer too.
    stored = await openTestStorage(url);
    accounts = accountsOver(stored);
    await accounts.seeds.ensureSeedAccounts(stored.context());
  });
  afterAll(async () => {
    await stored.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(line: string, env: Record<string, string> = {}) {
    const words = line.split(" ");
    const { exitCode, output } = await runCommand(["users", ...words], {
      env: { SERVICE_SQL_DATABASE_URL: url, ...env },
    });
    return { exitCode, lines: output.trimEnd().split("\n") };
  }
  const signsIn = async (email: string, password: string) =>
    (await accounts.changes.findByPassword(stored.context(), email, password)) !== null;
  const GENERATED = /^Password, to be changed at the first sign-in: (\S{20})$/;

  test("create-admin makes an administrator and tells the password it made up", async () => {
    const { exitCode, lines } = await run("create-admin --email Ann@Example.com --username Ann");
    expect([exitCode, lines[0]]).toEqual([0, "ann@example.com is an administrator."]);
    const password = GENERATED.exec(lines[1]!)![1]!;
    const ann = await accounts.users.findUser(stored.context(), { email: "ann@example.com" });
    expect(ann).toMatchObject({ username: "Ann", role: "ADMIN", authMethod: "LOCAL", passwordChange: "required" });
    expect(await signsIn("ann@example.com", password)).toBeTrue();
  });

  test("create-admin takes a password from a file and says nothing of it", async () => {
    const file = join(folder, "password");
    await Bun.write(file, "swordfish\n");
    const { exitCode, lines } = await run(`create-admin --email bob@example.com --password-file ${file}`);
    expect([exitCode, lines]).toEqual([0, ["bob@example.com is an administrator."]]);
    expect(await signsIn("bob@example.com", "swordfish")).toBeTrue();
    expect(await accounts.users.findUser(stored.context(), { username: "bob@example.com" })).toMatchObject({
      passwordChange: "asked",
    });
  });

  test("create-admin through an identity provider when basic auth is disabled", async () => {
    const { lines } = await run("create-admin --email oli@example.com", { SERVICE_DISABLE_BASIC_AUTH: "true" });
    expect(lines).toEqual(["oli@example.com is an administrator, who signs in through an identity provider."]);
    expect(await accounts.users.findUser(stored.context(), { email: "oli@example.com" })).toMatchObject({
      authMethod: "OAUTH2",
      passwordChange: "none",
    });
  });

  test("reset-password ends the sign-ins of the account; the old password is gone", async () => {
    const admin = (await accounts.users.findUser(stored.context(), { username: "admin" }))!;
    await insertCredentials(stored.context(), admin.id);
    const { exitCode, lines } = await run("reset-password --email admin@localhost");
    expect([exitCode, lines[0]]).toEqual([
      0,
      "admin@localhost has a new password, to be changed at the next sign-in, and every sign-in of the account has ended.",
    ]);
    expect(await countCredentials(stored.context(), admin.id)).toMatchObject({
      refresh_tokens: 0,
      access_tokens: 0,
      password_reset_tokens: 0,
      api_keys: 1,
    });
    expect(await signsIn("admin@localhost", "admin")).toBeFalse();
    expect(await signsIn("admin@localhost", GENERATED.exec(lines[1]!)![1]!)).toBeTrue();
  });

  test("reset-password takes neither the password of before nor the documented one", async () => {
    const file = join(folder, "chosen");
    const reset = async (password: string) => {
      await Bun.write(file, password);
      const { exitCode, lines } = await run(`reset-password --email admin@localhost --password-file ${file}`);
      return `${exitCode} ${lines[0]}`;
    };
    expect(await reset("admin")).toBe("1 error: Password must not be the one that the documentation names");
    expect(await reset("swordfish")).toStartWith("0 ");
    expect(await reset("swordfish")).toBe("1 error: Password must differ from the current one");
  });

  test("unlock forgets the failed sign-ins of the address", async () => {
    const database = stored.storage.handle.write(stored.context());
    await database
      .insertInto("login_attempts")
      .values({ identifier: "admin@localhost", failures: 5, last_failure_us: 1 })
      .execute();
    expect(await run("unlock --email Admin@localhost")).toEqual({
      exitCode: 0,
      lines: ["admin@localhost may sign in again."],
    });
    expect(await database.selectFrom("login_attempts").selectAll().execute()).toEqual([]);
  });

  test("list shows everybody but the system account, and no password", async () => {
    const { exitCode, lines } = await run("list");
    expect(exitCode).toBe(0);
    expect(lines[0]).toMatch(/^EMAIL +USERNAME +ROLE +SIGN-IN +CREATED$/);
    expect(lines.find((line) => line.startsWith("admin@localhost "))).toMatch(
      /^admin@localhost +admin +ADMIN +LOCAL +\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d +password to be changed$/,
    );
    expect(lines.join("\n")).not.toMatch(/system@localhost|argon2/);
  });

  describe("is refused with one clear line", () => {
    const refusals: readonly (readonly [line: string, message: string])[] = [
      ["create-admin --email admin@localhost", "error: Invalid email address"],
      ["create-admin --email x@example.com --username admin", "error: Username already exists"],
      ["reset-password --email nobody@example.com", "error: No account has the address nobody@example.com"],
      ["reset-password --email system@localhost", "error: Cannot modify the system user"],
      ["reset-password --email admin@localhost --password-file /nowhere", "error: --password-file: ENOENT"],
      ["unlock --email nobody@example.com", "error: No account has the address nobody@example.com"],
    ];
    for (const [line, message] of refusals) {
      test(line, async () => {
        const { exitCode, lines } = await run(line);
        expect([exitCode, lines.length]).toEqual([1, 1]);
        expect(lines[0]).toStartWith(message);
      });
    }

    test("on a database without our tables", async () => {
      const empty = await driver.createEmptyDatabase();
      const { exitCode, lines } = await run("list", { SERVICE_SQL_DATABASE_URL: empty });
      expect(exitCode).toBe(1);
      expect(lines.join("\n")).toMatch(/run spanlight migrate first|cannot be opened/);
    });
  });
});
