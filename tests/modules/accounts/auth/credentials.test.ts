// How long a row that was read is trusted: long enough that a busy exporter costs no reads, and never beyond a change.
import { beforeEach, describe, expect, test } from "bun:test";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { silentLogger } from "../../../../src/kernel/logger.ts";
import {
  type CredentialsService,
  createCredentialsService,
} from "../../../../src/modules/accounts/auth/tokens/credentials.service.ts";
import { createTokenForm, newTokenRandom } from "../../../../src/modules/accounts/auth/tokens/token.rules.ts";
import type { TokenRow } from "../../../../src/modules/accounts/auth/tokens/token.schema.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";

const tokens = createTokenForm("a-secret-of-the-test");
const context = {} as CallContext;

let row: TokenRow | null;
let bearer: string;
let reads: number;
let away: boolean;
/** Reads wait for it. */
let gate: Promise<void>;
let credentials: CredentialsService;

beforeEach(async () => {
  const { random, hash } = newTokenRandom();
  row = { randomHash: hash, expiresUs: null, userId: 7, role: "MEMBER", passwordChange: "none" };
  bearer = await tokens.write({ kind: "ApiKey", rowId: 1, random });
  reads = 0;
  away = false;
  gate = Promise.resolve();
  const find = async () => {
    reads++;
    if (away) throw new Error("away");
    const found = row;
    await gate;
    return found;
  };
  credentials = createCredentialsService({
    tokens,
    rows: { AccessToken: find, ApiKey: find },
    adminSecret: null,
    findSystemUserId: async () => null,
    clock: systemClock,
    log: silentLogger,
  });
});

const ask = async (authorization = `Bearer ${bearer}`) =>
  (await credentials.resolve(context, { authorization, cookies: null })).kind;

test("a key is known by its row, a sign-in by its person", async () => {
  const resolved = (authorization: string) => credentials.resolve(context, { authorization, cookies: null });
  expect(await resolved(`Bearer ${bearer}`)).toEqual({
    kind: "user",
    userId: 7,
    role: "MEMBER",
    credential: "api_key",
    apiKeyId: 1,
    mustChangePassword: false,
  });
  const { random, hash } = newTokenRandom();
  row = { ...row!, randomHash: hash, role: "SYSTEM" };
  const systemKey = await tokens.write({ kind: "ApiKey", rowId: 4, random });
  expect(await resolved(`Bearer ${systemKey}`)).toEqual({ kind: "system", userId: 7, apiKeyId: 4 });
});

describe("reads", () => {
  test("one serves many requests, also when they come at once", async () => {
    expect(await Promise.all(Array.from({ length: 100 }, () => ask()))).toEqual(Array(100).fill("user"));
    for (let count = 0; count < 100; count++) await ask();
    expect(reads).toBe(1);
  });

  test("none for an unsigned token", async () => {
    for (const token of ["x", `${bearer}x`, "Basic eDp5", ""]) expect(await ask(`Bearer ${token}`)).toBe("anonymous");
    expect(reads).toBe(0);
  });

  test("a database that is away is no missing credential", async () => {
    away = true;
    expect(await ask().catch((error: Error) => error.message)).toBe("away");
    away = false;
    expect(await ask()).toBe("user");
  });
});

describe("a change that is committed", () => {
  test("is seen by the next request, and costs one read", async () => {
    await ask();
    row = null;
    credentials.invalidateCommitted(7);
    expect(await ask()).toBe("anonymous");
    expect(reads).toBe(2);
  });

  test("leaves other accounts alone", async () => {
    await ask();
    credentials.invalidateCommitted(8);
    credentials.invalidate(9);
    await ask();
    expect(reads).toBe(1);
  });

  test("is not undone by a read that began before it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const early = ask();
    while (reads === 0) await Bun.sleep(0);
    row = null;
    credentials.invalidateCommitted(7);
    // A request after the change does not join it.
    const late = ask();
    resolve();
    expect([await early, await late]).toEqual(["user", "anonymous"]);
    expect(await ask()).toBe("anonymous");
  });

  test("is trusted again at once", async () => {
    credentials.invalidateCommitted(7);
    await ask();
    await ask();
    expect(reads).toBe(1);
  });
});

test("a change that is about to be committed lets nothing be trusted meanwhile", async () => {
  await ask();
  credentials.invalidate(7);
  for (let count = 0; count < 3; count++) expect(await ask()).toBe("user");
  expect(reads).toBe(4);
  row = null;
  expect(await ask()).toBe("anonymous");
  // What is committed later does not shorten what was announced.
  credentials.invalidateCommitted(7);
  await ask();
  await ask();
  expect(reads).toBe(7);
});
