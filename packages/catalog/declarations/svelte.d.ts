/**
 * The current language, which can be set: `<select bind:value={language.current}>`.
 * Templates that call messages update when it changes.
 */
export const language: { current: Language }
