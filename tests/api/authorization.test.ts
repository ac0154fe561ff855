// Every route × every caller, against the matrix recorded from the reference server: a new route cannot forget its guard.
import { describe, expect, test } from "bun:test";
import type { Principal } from "../../src/access/principal.ts";
import { send, serverOf } from "../support/api.ts";
import { reachedModules } from "../support/declared-routes.ts";
import { keyOf, signedIn } from "../support/principals.ts";
import matrix from "../vectors/roles-matrix.json" with { type: "json" };

const principals: Readonly<Record<string, Principal>> = {
  none: { kind: "anonymous" },
  viewer_login: signedIn(1, "VIEWER"),
  viewer_key: keyOf(1, "VIEWER"),
  member_login: signedIn(2, "MEMBER"),
  member_key: keyOf(2, "MEMBER"),
  system_key: { kind: "system", userId: 4 },
  admin_login: signedIn(3, "ADMIN"),
  admin_key: keyOf(3, "ADMIN"),
  admin_secret: { kind: "admin_secret", userId: 4 },
  auth_off: { kind: "open" },
};
type Answers = Readonly<Record<string, string | number>>;
interface Row {
  readonly route: string;
  readonly reference: Answers;
  readonly reference_refusal?: Readonly<Record<string, string>>;
  readonly ours: "same" | Answers;
  readonly storage_lock_507: boolean;
}

const rows = matrix.rows as unknown as readonly Row[];
const rowOf = (route: string) => rows.find((row) => row.route === route);

/** Routes that came after the matrix was recorded, or that it shows by one example: the row that applies to each. */
const standIns: Readonly<Record<string, string>> = {
  // Admins only, like the other deletes below /v1/projects/; frees space, so it is not locked.
  "DELETE /v1/projects/{project_identifier}/traces": "DELETE /v1/projects/{project_identifier}",
  // protocol-additions 6 and A3: read by everybody, changed by administrators.
  "GET /v1/retention_policies": "GET /v1/projects",
  "GET /v1/retention_policies/{policy_id}/preview": "GET /v1/projects",
  "POST /v1/retention_policies": "PUT /v1/projects/{project_identifier}",
  "PATCH /v1/retention_policies/{policy_id}": "PUT /v1/projects/{project_identifier}",
  "DELETE /v1/retention_policies/{policy_id}": "DELETE /v1/projects/{project_identifier}",
  "PATCH /v1/projects/{project_identifier}/retention": "PUT /v1/projects/{project_identifier}",
  // Splits are read as the dataset is.
  "GET /v1/datasets/{dataset_identifier}/splits": "GET /v1/datasets/{id}",
  // One more export.
  "GET /v1/datasets/{id}/parquet": "GET /v1/datasets/{id}/csv",
  // protocol-additions 17, over REST: changed as a split of the dataset is.
  "PATCH /v1/datasets/{dataset_identifier}/examples": "PATCH /v1/datasets/{dataset_identifier}/splits/{split_id}",
  // Text search reads what the lists read.
  "GET /v1/projects/{project_identifier}/spans/search": "GET /v1/projects/{project_identifier}/spans",
  "GET /v1/projects/{project_identifier}/traces/search": "GET /v1/projects/{project_identifier}/traces",
  // The analysis of a trace reads what the lists read.
  "GET /v1/projects/{project_identifier}/traces/{trace_identifier}/critical_path":
    "GET /v1/projects/{project_identifier}/traces",
  "GET /v1/projects/{project_identifier}/traces/{trace_identifier}/waste":
    "GET /v1/projects/{project_identifier}/traces",
  "GET /v1/projects/{project_identifier}/traces/{trace_identifier}/agent_graphs":
    "GET /v1/projects/{project_identifier}/traces",
  "GET /v1/projects/{project_identifier}/traces/{trace_identifier}/comparison":
    "GET /v1/projects/{project_identifier}/traces",
  "GET /v1/projects/{project_identifier}/explanation": "GET /v1/projects/{project_identifier}/traces",
  "GET /v1/projects/{project_identifier}/trace_patterns": "GET /v1/projects/{project_identifier}/traces",
  "GET /v1/projects/{project_identifier}/trace_analysis": "GET /v1/projects/{project_identifier}/traces",
  // Groups of failures are read as the lists are; viewers change none.
  "GET /v1/projects/{project_identifier}/failure_groups": "GET /v1/projects/{project_identifier}/spans",
  "GET /v1/projects/{project_identifier}/failure_groups/{failure_group_identifier}":
    "GET /v1/projects/{project_identifier}/spans",
  "GET /v1/projects/{project_identifier}/failure_groups/{failure_group_identifier}/spans":
    "GET /v1/projects/{project_identifier}/spans",
  "PATCH /v1/projects/{project_identifier}/failure_groups/{failure_group_identifier}":
    "POST /v1/experiment_evaluations",
  "POST /v1/projects/{project_identifier}/failure_groups/{failure_group_identifier}/merge":
    "POST /v1/experiment_evaluations",
  "POST /v1/projects/{project_identifier}/failure_groups/{failure_group_identifier}/split": "POST /v1/prompts",
  // web-ui 7.4: one value of a span whole.
  "GET /v1/spans/{span_identifier}/value": "GET /v1/projects/{project_identifier}/spans",
  // rest-traces D6: refused to viewers like every POST; it stores nothing, so it is not locked.
  "POST /v1/spans": "POST /v1/experiment_evaluations",
  "GET /v1/spans": "POST /v1/experiment_evaluations",
  // protocol-additions 9: read by everybody.
  "GET /v1/model_providers": "GET /v1/prompts",
  "GET /v1/custom_model_providers": "GET /v1/prompts",
  // Runs over datasets spend money: refused to viewers. A start stores an experiment, what changes one that is there is not locked.
  "POST /v1/playground/dataset_runs/estimate": "POST /v1/experiment_evaluations",
  "POST /v1/playground/dataset_runs": "POST /v1/datasets/{dataset_id}/experiments",
  "GET /v1/playground/dataset_runs/{experiment_id}": "GET /v1/experiments/{experiment_id}",
  "GET /v1/playground/dataset_runs/{experiment_id}/events": "GET /v1/experiments/{experiment_id}",
  "POST /v1/playground/dataset_runs/{experiment_id}/stop": "POST /v1/experiment_evaluations",
  "POST /v1/playground/dataset_runs/{experiment_id}/resume": "POST /v1/experiment_evaluations",
  // protocol-additions 8: as the older way of making a version.
  "POST /v1/prompts/{prompt_identifier}/versions": "POST /v1/prompts",
  // Everybody sees the budgets that apply to them; administrators change budgets, and see what was spent.
  "GET /v1/budgets": "GET /v1/prompts",
  "GET /v1/budgets/left": "GET /v1/prompts",
  "PUT /v1/budgets": "DELETE /v1/projects/{project_identifier}",
  "DELETE /v1/budgets/{budget_id}": "DELETE /v1/projects/{project_identifier}",
  "GET /v1/spending": "GET /v1/users",
  // Calls of models cost money, and their spans are stored.
  "POST /v1/playground/runs": "POST /v1/prompts",
  // The matrix was recorded before the proxy was built; playground 9 keeps viewers out.
  "POST /v1/chat/completions": "POST /v1/prompts",
  // Refused to viewers, as it may ask an endpoint; it stores nothing.
  "GET /v1/models": "POST /v1/experiment_evaluations",
  // protocol-additions 21.1: everybody who may open a page may report an error of it.
  "POST /client_errors": "GET /v1/projects",
  // Part of the intake of OTLP: logs are stored, metrics are not, so that those are not locked.
  "POST /v1/logs": "POST /v1/traces",
  "POST /v1/metrics": "POST /v1/experiment_evaluations",
};
/** Pages, probes and their files: one row of the matrix shows them all. */
const PUBLIC_ROW = "GET /healthz";

const REACHED = 299;
const modules = reachedModules(REACHED);
const routes = modules.flatMap((module) => module.routes);

function rowFor(route: string, path: string): Row | undefined {
  const standIn = standIns[route];
  if (standIn !== undefined) return rowOf(standIn);
  return rowOf(route) ?? rowOf(path.startsWith("/v1/") ? "" : PUBLIC_ROW);
}

function refusalText(row: Row, caller: string): string | null {
  const quoted = matrix.refusals[(row.reference_refusal?.[caller] ?? "") as keyof typeof matrix.refusals];
  return /"(.+)"/.exec(quoted ?? "")?.[1] ?? null;
}

describe("the matrix", () => {
  for (const { method, path } of routes) {
    const name = `${method} ${path}`;
    const row = rowFor(name, path);

    test(`knows ${name}`, () => {
      expect(row).toBeDefined();
    });
    if (row === undefined) continue;
    const expected = row.ours === "same" ? row.reference : row.ours;
    const line = name.replace(/\{[^}]+\}/g, "fake-id-0a1b2c3d");

    test(`${name}: each caller is let through or refused as it says`, async () => {
      for (const [caller, principal] of Object.entries(principals)) {
        const response = await send(serverOf(modules, { resolvePrincipal: () => principal }), line);
        const text = await response.text();
        if (expected[caller] === "allowed") {
          expect({ caller, allowed: response.status === REACHED || response.status === 422 }).toEqual({
            caller,
            allowed: true,
          });
        } else {
          expect({ caller, status: response.status }).toEqual({ caller, status: expected[caller] as number });
          const refusal = refusalText(row, caller);
          if (refusal !== null) expect(text).toBe(refusal);
        }
      }
    });

    test(`${name}: the storage lock stops it ${row.storage_lock_507 ? "before its input is looked at" : "never"}`, async () => {
      const options = { isStorageLocked: () => true, resolvePrincipal: () => principals.admin_login! };
      const { status } = await send(serverOf(modules, options), line);
      expect(status === 507).toBe(row.storage_lock_507);
    });
  }
});

describe("paths that are not there", () => {
  for (const row of rows.filter(({ route }) => route.endsWith("<unknown>"))) {
    test(row.route, async () => {
      for (const [caller, principal] of Object.entries(principals)) {
        const server = serverOf(modules, { resolvePrincipal: () => principal });
        const { status } = await send(server, row.route.replace("<unknown>", "unknown-path"));
        expect({ caller, status }).toEqual({ caller, status: (row.ours as Answers)[caller] as number });
      }
    });
  }
});
