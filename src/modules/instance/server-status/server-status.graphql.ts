// `serverStatus`: what clients ask before they send, or show above everything else. And what the database holds.
import type { GraphqlTypes } from "../../../graphql/types.ts";
import { type BackupTrouble, backupTroubles } from "../../../jobs/backups.ts";
import type { JobFailure, JobFailuresStore } from "../../../jobs/job-failures.store.ts";
import type { Storage } from "../../../storage/storage.ts";
import { type Contents, contentsKinds, type TableSize } from "./contents.rules.ts";
import type { ContentsService } from "./contents.service.ts";

interface ServerStatusRow {
  readonly insufficientStorage: boolean;
  readonly backupTrouble: BackupTrouble | null;
}

interface ServerStatusServices {
  readonly storage: Pick<Storage, "dialect" | "usedBytes">;
  readonly contents: ContentsService;
  /** Null where nothing is allotted. */
  readonly capacityBytes: number | null;
  readonly isStorageLocked: () => boolean;
  readonly backupTrouble: () => BackupTrouble | null;
  readonly jobFailures: JobFailuresStore;
}

/** More than anybody reads; each is tried again all the time. */
const MOST_FAILURES = 200;

export function addServerStatus(types: GraphqlTypes, services: ServerStatusServices): void {
  const { builder } = types;
  const Trouble = builder.enumType("BackupTrouble", {
    description:
      "FAILED: the last copy could not be made. DATED_AHEAD: one in the folder is of a time to come, and is not counted.",
    values: backupTroubles,
  });
  const ServerStatus = builder.objectRef<ServerStatusRow>("ServerStatus").implement({
    description: "How the service is",
    fields: (t) => ({
      insufficientStorage: t.exposeBoolean("insufficientStorage", {
        description: "True while the database is fuller than the operator allows: nothing new is taken in",
      }),
      backupTrouble: t.field({
        type: Trouble,
        nullable: true,
        description:
          "Of the copies that the service makes of its SQLite file: null while all is well, and without such copies",
        resolve: (status) => status.backupTrouble,
      }),
    }),
  });
  builder.queryFields((t) => ({
    serverStatus: t.field({
      type: ServerStatus,
      may: "graphql.query",
      resolve: () => ({
        insufficientStorage: services.isStorageLocked(),
        backupTrouble: services.backupTrouble(),
      }),
    }),
  }));
  addDatabaseSizes(types, services);
  addJobFailures(types, services);
}

function addJobFailures({ builder }: GraphqlTypes, { jobFailures }: ServerStatusServices): void {
  const JobFailureType = builder.objectRef<JobFailure>("JobFailure").implement({
    description: "Work of the server that failed and has not succeeded since",
    fields: (t) => ({
      job: t.exposeString("job", { description: "Name of the job, as the label task of the metrics" }),
      item: t.exposeString("item", { description: "Id of what failed; empty where the whole run did" }),
      reason: t.exposeString("reason"),
      attempts: t.exposeInt("attempts", { description: "Failures in a row" }),
      firstFailedAt: t.field({ type: "DateTime", resolve: ({ firstUs }) => firstUs }),
      lastFailedAt: t.field({ type: "DateTime", resolve: ({ lastUs }) => lastUs }),
      retryAt: t.field({ type: "DateTime", resolve: ({ retryUs }) => retryUs }),
    }),
  });
  builder.queryFields((t) => ({
    jobFailures: t.field({
      type: [JobFailureType],
      description: "Work of the server that failed and has not succeeded since, the newest first; 200 at most.",
      may: "server.inspect",
      resolve: (_root, _given, { context }) => jobFailures.listAll(context, MOST_FAILURES),
    }),
  }));
}

function addDatabaseSizes({ builder }: GraphqlTypes, { storage, contents, capacityBytes }: ServerStatusServices): void {
  const TableStats = builder.objectRef<Pick<TableSize, "table" | "bytes">>("DbTableStats").implement({
    fields: (t) => ({ tableName: t.exposeString("table"), numBytes: t.exposeFloat("bytes") }),
  });
  const Kind = builder.enumType("DbContentsKind", {
    description:
      "PAYLOADS: attributes and events of spans. LARGE_VALUES: those that are stored separately, and messages. TRACES: rows of projects, sessions, traces and spans. SEARCH: what lists and filters are quick by. INDEXES: of all tables. FREE: given back in steps.",
    values: contentsKinds,
  });
  const ContentsType = builder.objectRef<Contents>("DbContents").implement({
    fields: (t) => ({ kind: t.field({ type: Kind, resolve: ({ kind }) => kind }), numBytes: t.exposeFloat("bytes") }),
  });
  builder.queryFields((t) => ({
    dbStorageCapacityBytes: t.float({
      description: "What the operator allotted; null for no limit.",
      nullable: true,
      may: "graphql.query",
      resolve: () => capacityBytes,
    }),
    dbTableStats: t.field({
      type: [TableStats],
      description: "Bytes of each table with its indexes; on SQLite one row for the file.",
      may: "graphql.query",
      resolve: async () => {
        if (storage.dialect.name === "sqlite") return [{ table: "SQLite", bytes: await storage.usedBytes() }];
        const tables = await contents.readTables();
        return tables.map(({ table, bytes, indexBytes }) => ({ table, bytes: bytes + indexBytes }));
      },
    }),
    dbContents: t.field({
      type: [ContentsType],
      description: "What the database holds, the largest kind first; at most a minute old.",
      may: "graphql.query",
      resolve: () => contents.readContents(),
    }),
  }));
}
