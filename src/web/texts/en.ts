// The English catalogue, one file an area, joined here. Sentence case; no colon after labels; no exclamation marks.
import { kit } from "./en/kit.ts";
import { projects } from "./en/projects.ts";
import { shell } from "./en/shell.ts";

export const en = { ...kit, ...shell, ...projects } as const;
