/** Returns whether a file belongs to a package that uses no messages. */
export function isForeign(path: string, packages: readonly string[]): boolean {
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path) ?? []
  return name !== undefined && !packages.includes(name.replaceAll('\\', '/'))
}
