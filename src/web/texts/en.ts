// The English catalogue, one file an area, joined here. Sentence case; no colon after labels; no exclamation marks.
import { account } from "./en/account.ts";
import { additions } from "./en/additions.ts";
import { annotations } from "./en/annotations.ts";
import { charts } from "./en/charts.ts";
import { config } from "./en/config.ts";
import { costs } from "./en/costs.ts";
import { datasets } from "./en/datasets.ts";
import { editor } from "./en/editor.ts";
import { examples } from "./en/examples.ts";
import { experiments } from "./en/experiments.ts";
import { explorer } from "./en/explorer.ts";
import { filter } from "./en/filter.ts";
import { kit } from "./en/kit.ts";
import { labels } from "./en/labels.ts";
import { metrics } from "./en/metrics.ts";
import { models } from "./en/models.ts";
import { onboarding } from "./en/onboarding.ts";
import { projects } from "./en/projects.ts";
import { promptCode } from "./en/prompt-code.ts";
import { promptEditor } from "./en/prompt-editor.ts";
import { promptUsage } from "./en/prompt-usage.ts";
import { prompts } from "./en/prompts.ts";
import { providers } from "./en/providers.ts";
import { retention } from "./en/retention.ts";
import { review } from "./en/review.ts";
import { sessions } from "./en/sessions.ts";
import { settings } from "./en/settings.ts";
import { shell } from "./en/shell.ts";
import { span } from "./en/span.ts";
import { trace } from "./en/trace.ts";
import { traces } from "./en/traces.ts";
import { uploads } from "./en/uploads.ts";
import { versions } from "./en/versions.ts";
import { views } from "./en/views.ts";

export const en = {
  ...kit,
  ...filter,
  ...explorer,
  ...views,
  ...costs,
  ...models,
  ...charts,
  ...metrics,
  ...config,
  ...traces,
  ...sessions,
  ...onboarding,
  ...shell,
  ...account,
  ...settings,
  ...retention,
  ...providers,
  ...annotations,
  ...span,
  ...trace,
  ...review,
  ...projects,
  ...labels,
  ...datasets,
  ...editor,
  ...examples,
  ...additions,
  ...experiments,
  ...uploads,
  ...prompts,
  ...promptCode,
  ...versions,
  ...promptUsage,
  ...promptEditor,
} as const;
