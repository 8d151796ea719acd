/** Frameworks with reactive templates, in which calls of messages must be tracked. */
export const reactives = ['solid', 'svelte', 'vue'] as const

export type Reactive = (typeof reactives)[number]
