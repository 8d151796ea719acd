/** Returns the members that are not undefined, for options that are either given or absent. */
export const withoutUndefined = <T extends object>(
  values: T,
): { readonly [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as unknown as { readonly [Name in keyof T]?: Exclude<T[Name], undefined> }
