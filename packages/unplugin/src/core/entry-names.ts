/** File of a build, with the files that it imports. */
export interface OutputNode {
  readonly file: string
  /** Files that it imports, statically or dynamically. */
  readonly imports: readonly string[]
  /** Name of the entry that the file is. */
  readonly entry?: string | undefined
}

/** Returns the entries that load each file of a build, also by dynamic imports. */
export function entryNames(nodes: readonly OutputNode[]): ReadonlyMap<string, readonly string[]> {
  const byFile = new Map(nodes.map((node) => [node.file, node]))
  const names = new Map<string, string[]>()
  for (const { file, entry } of nodes) {
    if (entry === undefined) continue
    // A set also iterates over what is added during the iteration.
    const reached = new Set([file])
    for (const one of reached) {
      names.set(one, [...(names.get(one) ?? []), entry])
      for (const imported of byFile.get(one)?.imports ?? []) reached.add(imported)
    }
  }
  return names
}
