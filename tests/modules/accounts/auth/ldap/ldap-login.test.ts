// Many sign-ins by a directory at once, and slow ones: how many ask it, and for how long.
import { expect, test } from "bun:test";
import { openPrincipal } from "../../../../../src/access/principal.ts";
import { Failure } from "../../../../../src/kernel/failure.ts";
import { createLogger } from "../../../../../src/kernel/logger.ts";
import type { DirectoryService } from "../../../../../src/modules/accounts/auth/ldap/directory.service.ts";
import { createLdapLoginService } from "../../../../../src/modules/accounts/auth/ldap/ldap-login.service.ts";
import type { CallContext } from "../../../../../src/storage/storage.ts";
import { until } from "../../../../support/until.ts";

const context = { principal: openPrincipal, requestId: "r-1" } as CallContext;
const person = { email: "ada@example.com", uniqueId: null, displayName: "Ada", role: "MEMBER" } as const;

function serviceOver(ask: DirectoryService["ask"], limitMs = 10_000) {
  const counted: (string | null)[] = [];
  const lines: string[] = [];
  const identities: unknown[] = [];
  const service = createLdapLoginService({
    directory: { ask },
    lockOut: {
      async guard(_context, name, attempt) {
        const found = await attempt();
        counted.push(found === null ? name : null);
        return found;
      },
    },
    identityLogin: {
      async login(_context, identity, rules) {
        identities.push(identity, rules);
        return { ok: true, cookies: ["cookie"] };
      },
    },
    settings: { allowSignUp: false },
    log: createLogger({ level: "debug", mode: "default", write: (line) => lines.push(line) }),
    limitMs,
  });
  const login = (username: string, password = "p") =>
    service.login(context, { username, password, clientAddress: "192.0.2.1" }).then(
      (cookies) => cookies.join(),
      (error) => (error instanceof Failure ? `${error.kind} ${error.message}` : String(error)),
    );
  return { login, counted, lines, identities };
}

test("ten ask the directory at once, the others wait for them", async () => {
  const going: (() => void)[] = [];
  let most = 0;
  let now = 0;
  const { login } = serviceOver(async () => {
    most = Math.max(most, ++now);
    const { promise, resolve } = Promise.withResolvers<void>();
    going.push(resolve);
    await promise;
    now--;
    return { kind: "known", person };
  });
  const all = Array.from({ length: 25 }, (_, index) => login(`user${index}`));
  await until(() => going.length === 10);
  for (let done = 0; done < 25; done++) {
    await until(() => going.length > done);
    going[done]!();
  }
  expect(new Set(await Promise.all(all))).toEqual(new Set(["cookie"]));
  expect(most).toBe(10);
});

test("who waits too long for the directory, or for their turn, is told that it is away; nobody is counted", async () => {
  const hold = Promise.withResolvers<void>();
  let asked = 0;
  const silent = serviceOver(async (_question, _trail, signal) => {
    asked++;
    await hold.promise;
    return signal.aborted ? { kind: "unavailable" } : { kind: "known", person };
  }, 50);
  const away = "unavailable Authentication service unavailable";
  const holders = Array.from({ length: 10 }, (_, index) => silent.login(`user${index}`));
  expect(await Promise.all([silent.login("eleventh"), silent.login("twelfth")])).toEqual([away, away]);
  hold.resolve();
  expect(new Set(await Promise.all(holders))).toEqual(new Set([away]));
  expect(asked).toBe(10);
  expect(silent.counted).toEqual([]);
  expect(silent.lines.filter((line) => line.includes("no server of the directory answered")).length).toBe(12);
});

test("what is empty or longer than anybody's never reaches the directory", async () => {
  let asked = 0;
  const { login, counted } = serviceOver(async () => {
    asked++;
    return { kind: "known", person };
  });
  const missing = "unauthenticated Username and password required";
  for (const [username, password] of [
    ["", "p"],
    [" \t", "p"],
    ["ada", ""],
  ] as const) {
    expect(await login(username, password)).toBe(missing);
  }
  expect(counted).toEqual([]);
  const wrong = "unauthenticated Invalid username and/or password";
  expect(await login("x".repeat(257))).toBe(wrong);
  expect(await login("ada", "x".repeat(1025))).toBe(wrong);
  expect(counted).toEqual(["x".repeat(257), "ada"]);
  expect(asked).toBe(0);
  expect(await login("x".repeat(256), "x".repeat(1024))).toBe("cookie");
  expect(await login("ada", " ")).toBe("cookie");
  expect(asked).toBe(2);
});

test("what the directory says of a person goes to provisioning as it is: address in lower case, both names, the role", async () => {
  const { login, identities } = serviceOver(async () => ({
    kind: "known",
    person: { ...person, email: " Ada@Example.com", uniqueId: "id" },
  }));
  expect(await login(" Ada ")).toBe("cookie");
  expect(identities).toEqual([
    { method: "LDAP", uniqueId: "id", email: "ada@example.com", names: ["Ada", "Ada"] },
    { allowsSignUp: false, role: "MEMBER", resynchronisesRole: true },
  ]);
});

test("a bug is no wrong password", async () => {
  const { login, counted } = serviceOver(async () => {
    throw new TypeError("bug");
  });
  expect(await login("ada")).toBe("TypeError: bug");
  expect(counted).toEqual([]);
});
