// Every route that is built × every kind of caller, with real credentials over the real services, against the matrix recorded from
// the reference server. (authorization.test.ts walks the policy alone, for routes that come after.)
import { describe, expect, test } from "bun:test";
import { type Callers, callersOfSuite } from "../support/callers.ts";
import { forEachDriver } from "../support/drivers.ts";

import matrix from "../vectors/roles-matrix.json" with { type: "json" };

type Answers = Readonly<Record<string, string | number>>;
interface Row {
  readonly route: string;
  readonly reference: Answers;
  readonly reference_refusal?: Readonly<Record<string, string>>;
  readonly ours: "same" | Answers;
}
const rows = matrix.rows as unknown as readonly Row[];
const refusals: Readonly<Record<string, string>> = matrix.refusals;

/** Slow or stateful in earnest, and walked by their own tests. */
const PAGES = new Set(["GET /", "GET /login"]);

forEachDriver("roles with real credentials", (driver) => {
  const suite = callersOfSuite(driver);

  test("every built route of the matrix lets through and refuses as it says", async () => {
    const built = new Set(suite.server.http.routes.map(({ method, path }) => `${method} ${path}`));
    const walked = rows.filter(({ route }) => built.has(route) && !PAGES.has(route));
    expect(walked.length).toBeGreaterThan(30);
    for (const { route, reference, reference_refusal = {}, ours } of walked) {
      const line = route.replace(/\{[^}]+\}/g, "fake-id-0a1b2c3d");
      const expected = ours === "same" ? reference : ours;
      const found: Record<string, string | number> = {};
      const told: Record<string, string> = {};
      for (const [name, answer] of Object.entries(expected)) {
        const response =
          name === "auth_off"
            ? await suite.open.send(line)
            : await suite.server.send(line, suite.callers[name as keyof Callers]);
        const text = await response.text();
        found[name] = answer === "allowed" && ![401, 403].includes(response.status) ? "allowed" : response.status;
        const refusal = reference_refusal[name];
        const quoted = refusal === undefined ? undefined : /"(.+)"/.exec(refusals[refusal] ?? "")?.[1];
        if (ours === "same" && quoted !== undefined && text !== quoted) told[name] = text;
      }
      expect({ route, ...found }).toEqual({ route, ...expected });
      expect({ route, told }).toEqual({ route, told: {} });
    }
  });

  test("whoever must choose a new password is refused everywhere but at oneself", async () => {
    const own = new Set(["GET /v1/user", "POST /graphql", "GET /graphql"]);
    for (const { route, reference, ours } of rows) {
      if (!suite.server.http.routes.some(({ method, path }) => `${method} ${path}` === route)) continue;
      const line = route.replace(/\{[^}]+\}/g, "fake-id-0a1b2c3d");
      const response = await suite.server.send(line, suite.callers.restricted_login);
      const refused = response.status === 403 && (await response.text()) === "Password reset required";
      expect({ route, refused }).toEqual({
        route,
        refused: (ours === "same" ? reference : ours).none === 401 && !own.has(route),
      });
    }
  });

  describe("without authentication", () => {
    test("signing in does not exist, and credentials are ignored", async () => {
      for (const line of ["POST /auth/login", "POST /auth/refresh", "GET /auth/logout"]) {
        expect((await suite.open.send(line, { json: line.startsWith("POST") ? {} : undefined })).status).toBe(404);
      }
      expect((await suite.open.send("GET /v1/projects", { bearer: "nonsense" })).status).toBe(200);
    });
  });

  test("what is not there is not told to strangers below the API", async () => {
    for (const path of ["/v1/nothing", "/graphql/nothing"]) {
      expect([path, (await suite.server.send(`GET ${path}`)).status]).toEqual([path, 401]);
      expect([path, (await suite.server.send(`GET ${path}`, suite.callers.viewer_key)).status]).toEqual([path, 404]);
    }
    expect((await suite.server.send("GET /auth/nothing")).status).toBe(404);
  });

  test("probes and documents ask for nobody, whatever credential is sent", async () => {
    for (const line of ["GET /healthz", "GET /readyz", "GET /arize_phoenix_version", "GET /openapi.json"]) {
      expect([line, (await suite.server.send(line, { bearer: "nonsense" })).status]).toEqual([line, 200]);
    }
  });
});
