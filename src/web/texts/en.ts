// The English catalogue: the texts that pages declare, and those of what pages share, one file an area. Sentence case; no colon after
// labels; no exclamation marks.
import { pageTexts } from "../declared-pages.ts";
import { account } from "./en/account.ts";
import { additions } from "./en/additions.ts";
import { annotations } from "./en/annotations.ts";
import { charts } from "./en/charts.ts";
import { costs } from "./en/costs.ts";
import { editor } from "./en/editor.ts";
import { explorer } from "./en/explorer.ts";
import { filter } from "./en/filter.ts";
import { kit } from "./en/kit.ts";
import { labels } from "./en/labels.ts";
import { onboarding } from "./en/onboarding.ts";
import { review } from "./en/review.ts";
import { shell } from "./en/shell.ts";
import { span } from "./en/span.ts";
import { trace } from "./en/trace.ts";
import { views } from "./en/views.ts";

export const en = {
  ...pageTexts,
  ...kit,
  ...filter,
  ...explorer,
  ...views,
  ...costs,
  ...charts,
  ...onboarding,
  ...shell,
  ...account,
  ...annotations,
  ...span,
  ...trace,
  ...review,
  ...labels,
  ...editor,
  ...additions,
} as const;
