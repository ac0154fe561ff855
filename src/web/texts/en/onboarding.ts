// Texts of a project that waits for its first trace.

export const onboarding = {
  "onboarding.title": "Send the first trace",
  "onboarding.text": "Run one of these. The trace lands in the project {project}, and this page shows it.",
  "onboarding.language": "Language",
  "onboarding.python": "Python",
  "onboarding.typescript": "TypeScript",
  "onboarding.curl": "curl",
  "onboarding.install": "Install",
  "onboarding.key": "API key",
  "onboarding.key.text": "This server asks programs for an API key.",
  "onboarding.key.make": "Create one",
  "onboarding.key.viewer":
    "This server asks programs for an API key, and those of viewers may not send traces. Ask a member or an administrator.",
  "onboarding.send": "Send",
  "onboarding.waiting": "Waiting for the first trace",
} as const;
