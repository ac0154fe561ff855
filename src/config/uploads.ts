// Bounds of uploads of datasets: how large one may be, how many there may be, and how long one may take.
import type { Values } from "./setting.ts";
import { integer, positiveInteger } from "./setting.ts";

const MEBIBYTE = 1024 * 1024;
/** The contents of one upload have numbers of its own in the database. */
const MOST_ROWS = 4_194_304;

export const uploadSettings = {
  maxBytes: integer({
    name: "SERVICE_MAX_UPLOAD_BYTES",
    default: 512 * MEBIBYTE,
    unit: "bytes",
    check: positiveInteger,
    meaning: "Largest upload of a dataset as a file, as sent; a larger one is refused (413).",
  }),
  maxUnpackedBytes: integer({
    name: "SERVICE_MAX_UPLOAD_UNPACKED_BYTES",
    default: 1024 * MEBIBYTE,
    unit: "bytes",
    check: positiveInteger,
    meaning:
      "Most bytes that the file of an upload may unpack to, and that its examples may have as JSON; more are refused (413).",
  }),
  maxRows: integer({
    name: "SERVICE_MAX_UPLOAD_ROWS",
    default: 1_000_000,
    unit: "rows",
    check: (value, name) =>
      value <= MOST_ROWS ? positiveInteger(value, name) : `${name} must not be greater than ${MOST_ROWS}`,
    meaning: "Most rows of an upload; more are refused (413).",
  }),
  maxColumns: integer({
    name: "SERVICE_MAX_UPLOAD_COLUMNS",
    default: 1000,
    unit: "columns",
    check: positiveInteger,
    meaning: "Most columns of the file of an upload; more are refused (413).",
  }),
  maxRowMembers: integer({
    name: "SERVICE_MAX_UPLOAD_ROW_MEMBERS",
    default: 100_000,
    unit: "values",
    check: positiveInteger,
    meaning:
      "Most values in the JSON of one row of an upload, with those in lists and objects; more are refused (413).",
  }),
} as const;

export type UploadsConfig = Values<typeof uploadSettings>;
