// The English catalogue, one file an area, joined here. Sentence case; no colon after labels; no exclamation marks.
import { filter } from "./en/filter.ts";
import { kit } from "./en/kit.ts";
import { projects } from "./en/projects.ts";
import { shell } from "./en/shell.ts";
import { span } from "./en/span.ts";
import { trace } from "./en/trace.ts";

export const en = { ...kit, ...filter, ...shell, ...span, ...trace, ...projects } as const;
