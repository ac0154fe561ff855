// Copies of a SQLite file that the service makes by itself.
import { integer, number, path, positiveInteger, positiveNumber, type Values } from "./setting.ts";

export const backupSettings = {
  directory: path({
    name: "SERVICE_BACKUP_DIRECTORY",
    default: null,
    defaultText: "no backups by itself",
    meaning: "Folder in which the service puts checked copies of its SQLite file. It should be on another disk.",
  }),
  everyHours: number({
    name: "SERVICE_BACKUP_INTERVAL_HOURS",
    default: 24,
    unit: "hours",
    check: positiveNumber,
    meaning: "Hours between two copies. One that was missed while the service was down is made soon after the start.",
  }),
  kept: integer({
    name: "SERVICE_BACKUPS_KEPT",
    default: 7,
    unit: "copies",
    check: positiveInteger,
    meaning: "Copies that are kept; the oldest goes when a new one is whole and checked.",
  }),
} as const;

export type BackupsConfig = Values<typeof backupSettings>;
