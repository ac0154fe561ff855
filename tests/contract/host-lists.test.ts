// Several hosts in one URL: which of them a session goes to, as libpq decides it, with a real primary, a real standby, and a host that
// takes connections and says nothing.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { PostgresLocation } from "../../src/storage/location.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { openPool } from "../../src/storage/postgres/connection.ts";
import type { PostgresPool } from "../../src/storage/postgres/pool.ts";
import { failureOf } from "../support/failures.ts";
import { freePort } from "../support/ports.ts";
import { missingPostgres, type PostgresCluster, startPostgres } from "../support/postgres.ts";
import { type PostgresReplica, startReplica } from "../support/postgres-replica.ts";
import { startSilentHost } from "../support/silent-host.ts";
import { locationOf } from "../support/storage.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

const missing = missingPostgres();

describe.skipIf(missing !== null && !process.env.CI)("a list of hosts", () => {
  let primary: PostgresCluster;
  let replica: PostgresReplica;
  let standbyPort: number;
  const pools: PostgresPool[] = [];
  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary);
    standbyPort = Number(new URL(replica.url).port);
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
    await replica?.dispose();
    await primary?.dispose();
  });

  function locationAt(ports: readonly number[], role: string | null = null, database = "postgres"): PostgresLocation {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
    const { username } = new URL(primary.url);
    const query = role === null ? "" : `?target_session_attrs=${role}`;
    return locationOf(`postgresql://${username}@${hosts}/${database}${query}`) as PostgresLocation;
  }
  function poolAt(location: PostgresLocation): PostgresPool {
    const pool = openPool(location, { name: "hosts", connections: 1, statementTimeout: null });
    pools.push(pool);
    return pool;
  }
  async function serverOf(pool: PostgresPool): Promise<string> {
    const [row] = await pool<{ port: number }[]>`select inet_server_port() as port`;
    return row!.port === primary.port ? "primary" : row!.port === standbyPort ? "standby" : "another";
  }

  const both = { forth: () => [primary.port, standbyPort], back: () => [standbyPort, primary.port] };
  const chosen: readonly (readonly [role: string | null, forth: string, back: string])[] = [
    [null, "primary", "standby"],
    ["any", "primary", "standby"],
    ["read-write", "primary", "primary"],
    ["primary", "primary", "primary"],
    ["standby", "standby", "standby"],
    ["read-only", "standby", "standby"],
    ["prefer-standby", "standby", "standby"],
  ];
  for (const [role, forth, back] of chosen) {
    test(`of a primary and a standby, ${role ?? "without a wish"} takes the ${forth} or, the other way round, the ${back}`, async () => {
      expect(await serverOf(poolAt(locationAt(both.forth(), role)))).toBe(forth);
      expect(await serverOf(poolAt(locationAt(both.back(), role)))).toBe(back);
    });
  }

  test("who prefers a standby takes a primary where there is no other; who wants one gets the state of each host", async () => {
    const ports = [await freePort(), primary.port];
    expect(await serverOf(poolAt(locationAt(ports, "prefer-standby")))).toBe("primary");
    for (const [role, port, what] of [
      ["standby", primary.port, "a primary"],
      ["primary", standbyPort, "a standby"],
      ["read-write", standbyPort, "a standby"],
    ] as const) {
      const failure = await failureOf(serverOf(poolAt(locationAt([port], role))));
      expect(failure.kind).toBe("unavailable");
      expect(failure.message).toContain(`target_session_attrs=${role} asks for: 127.0.0.1:${port} is ${what}`);
    }
  });

  test("a primary whose database is read-only takes no writes, and is a primary all the same", async () => {
    await poolAt(locationAt([primary.port]))`create database kept_from_writes`;
    const alter = await poolAt(locationAt([primary.port])).lease();
    await alter.sql.unsafe("alter database kept_from_writes set default_transaction_read_only = on");
    alter.release();
    const at = (role: string) => poolAt(locationAt([primary.port], role, "kept_from_writes"));
    expect([await serverOf(at("primary")), await serverOf(at("read-only"))]).toEqual(["primary", "primary"]);
    expect((await failureOf(serverOf(at("read-write")))).message).toContain("is read-only");
  });

  for (const role of [null, "read-write"]) {
    test(`a host that takes connections and says nothing is left, and tried last from then on (${role ?? "any"})`, async () => {
      const silent = await startSilentHost();
      const location = locationAt([silent.port, primary.port], role);
      // The first caller waits less than its own limit.
      expect(await serverOf(poolAt(location))).toBe("primary");
      expect(silent.connections).toBe(1);
      for (let again = 0; again < 3; again++) expect(await serverOf(poolAt(location))).toBe("primary");
      expect(silent.connections).toBe(1);
      await migrateStorage(location);
      expect(silent.connections).toBe(1);
      silent.close();
    });
  }

  test("two that say nothing leave time for the third, and where none answers each is named", async () => {
    const [one, other] = [await startSilentHost(), await startSilentHost()];
    expect(await serverOf(poolAt(locationAt([one.port, other.port, primary.port])))).toBe("primary");
    const failure = await failureOf(serverOf(poolAt(locationAt([one.port, other.port]))));
    expect(failure.kind).toBe("unavailable");
    for (const { port } of [one, other]) expect(failure.message).toContain(`127.0.0.1:${port}: no answer in`);
    one.close();
    other.close();
  });

  test("a server that answers with a refusal ends the search: no such database", async () => {
    const failure = await failureOf(serverOf(poolAt(locationAt(both.forth(), "read-write", "not_there"))));
    expect([failure.kind, failure.message]).toEqual([
      "unavailable",
      'The database is not available: database "not_there" does not exist',
    ]);
  });

  test("the last good one is asked first", async () => {
    const silent = await startSilentHost();
    const location = locationAt([silent.port, standbyPort, primary.port], "standby");
    expect(await serverOf(poolAt(location))).toBe("standby");
    const before = silent.connections;
    expect(await serverOf(poolAt(location))).toBe("standby");
    expect(silent.connections).toBe(before);
    silent.close();
  });

  test("after a fail-over the pool finds the new primary by itself", async () => {
    const pool = poolAt(locationAt(both.forth(), "read-write"));
    expect(await serverOf(pool)).toBe("primary");
    await primary.stop("immediate");
    const onStandby = poolAt(locationAt([standbyPort]));
    await onStandby`select pg_promote()`;
    await until(async () => (await serverOf(pool).catch(() => "none")) === "standby");
    expect(await pool`create table written_after_fail_over (id bigint)`).toEqual([]);
  });
});
