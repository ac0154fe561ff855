// Without passwords (SERVICE_DISABLE_BASIC_AUTH) nobody signs in by one, and none is reset.
import { expect, test } from "bun:test";
import type { Failure } from "../../../../src/kernel/failure.ts";
import { silentLogger } from "../../../../src/kernel/logger.ts";
import {
  createPasswordLoginService,
  type PasswordLoginDependencies,
} from "../../../../src/modules/accounts/auth/password-login.service.ts";
import {
  createPasswordResetService,
  type PasswordResetDependencies,
} from "../../../../src/modules/accounts/auth/password-reset.service.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";

/** Fails when anything of it is used. */
const untouchable = new Proxy(
  {},
  {
    get(_target, name) {
      throw new Error(`${String(name)} was used`);
    },
  },
);
const context = { requestId: "test" } as CallContext;
const told = (asked: Promise<unknown>) => asked.then(String, ({ kind, message }: Failure) => `${kind} ${message}`);

test("every way by password is forbidden before anything is looked at, whatever was sent", async () => {
  const login = createPasswordLoginService({
    userChanges: untouchable,
    lockOut: untouchable,
    logins: untouchable,
    disabled: true,
    log: silentLogger,
  } as unknown as PasswordLoginDependencies);
  const reset = createPasswordResetService({
    store: untouchable,
    mail: untouchable,
    disabled: true,
  } as unknown as PasswordResetDependencies);
  for (const text of ["", "ann@example.com"]) {
    const asked = [
      login.login(context, { email: text, password: text, clientAddress: null }),
      reset.requestLink(context, text, "http://localhost"),
      reset.reset(context, text, text),
    ];
    expect(await Promise.all(asked.map(told))).toEqual(Array(3).fill("forbidden Forbidden"));
  }
});
