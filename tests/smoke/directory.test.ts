// Signing in by a directory as the program is delivered: the library that speaks to it is loaded at the first sign-in, also out of
// the compiled binary.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passwordOf } from "../support/directory-tree.ts";
import { ldapVariables } from "../support/ldap-sign-in.ts";
import { forEachProgram, runCommand, startService } from "../support/server.ts";
import { cookiesOf, SECRET } from "../support/sign-in.ts";
import { describeWithSlapd, type RunningSlapd, startSlapd } from "../support/slapd.ts";

describeWithSlapd("a directory", () => {
  let slapd: RunningSlapd;
  let folder: string;
  beforeAll(async () => {
    slapd = await startSlapd();
    folder = await mkdtemp(join(tmpdir(), "spanlight-directory-"));
  });
  afterAll(async () => {
    await slapd.stop();
    await rm(folder, { recursive: true, force: true });
  });

  forEachProgram("the program", (program) => {
    const settings = () => ({
      ...ldapVariables(slapd),
      SERVICE_LDAP_TLS_CA_CERT_FILE: slapd.certificateFile,
      SERVICE_ENABLE_AUTH: "true",
      SERVICE_SECRET: SECRET,
    });

    test("signs its people in, and refuses a wrong password", async () => {
      const databaseUrl = `sqlite:///${join(folder, `${program}.db`)}`;
      const service = await startService({ databaseUrl, program, env: settings() });
      const login = (password: string) =>
        fetch(`${service.url}/auth/ldap/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username: "ada", password }),
        });
      expect((await login("wrong")).status).toBe(401);
      const response = await login(passwordOf("ada"));
      expect(response.status).toBe(204);
      expect(Object.keys(cookiesOf(response)).length).toBe(2);
      expect(service.log()).toContain("signed in");
      expect(service.log()).not.toContain(passwordOf("ada"));
      expect(await service.stop()).toBe(0);
    });

    test("has a doctor for it", async () => {
      const { exitCode, output } = await runCommand(["doctor", "ldap", "ada"], { program, env: settings() });
      expect(output).toContain("with the right password the person signs in as ADMIN");
      expect(exitCode).toBe(0);
    });
  });
});
