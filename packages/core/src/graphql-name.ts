/**
 * Returns whether a name is valid in a GraphQL document. Two leading underscores are reserved by
 * GraphQL.
 */
export const isGraphqlName = (name: string): boolean => /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(name)
