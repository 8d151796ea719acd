export const files: readonly string[]
export function compileMessages(target: string): void
