/** Writes a project folder, with ten languages if there are keys. Returns its path. */
export function writeProject(parent: string, key: string, keys: number): string
