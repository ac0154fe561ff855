// Bounds of uploads of datasets: how large one may be, how many there may be at a time, and how long one may take.
import { groupOfSettings, integer, positiveInteger, type Values } from "../../../../config/setting.ts";

const MEBIBYTE = 1024 * 1024;
/** The contents of one upload have numbers of its own in the database. */
const MOST_ROWS = 4_194_304;

export const uploadSettings = groupOfSettings("Uploads of datasets", {
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
  maxSpooledBytes: integer({
    name: "SERVICE_MAX_UPLOAD_SPOOL_BYTES",
    default: 2048 * MEBIBYTE,
    unit: "bytes",
    check: positiveInteger,
    meaning:
      "Most bytes of Parquet and Arrow files that all uploads together keep in `uploads` below the working directory until they are read; a file that needs more alone is refused (413), else it is refused for now (503).",
  }),
  maxAtOnce: integer({
    name: "SERVICE_MAX_UPLOADS_AT_ONCE",
    default: 8,
    unit: "uploads",
    check: positiveInteger,
    meaning: "Uploads of datasets that a server takes at the same time; more are refused for now (503).",
  }),
  maxSeconds: integer({
    name: "SERVICE_MAX_UPLOAD_SECONDS",
    default: 3600,
    unit: "seconds",
    check: positiveInteger,
    meaning:
      "Most seconds from the beginning of an upload until all of it is read; one that takes longer is refused (408).",
  }),
});

export type UploadsConfig = Values<typeof uploadSettings.settings>;
