import { GraphQLError, versionInfo } from 'graphql'

const extensions = { code: 'VALIDATION_ERROR' }

export const validationError = (message: string): GraphQLError =>
  // graphql 15 has no object of options, and graphql 17 has nothing else.
  versionInfo.major < 16
    ? new GraphQLError(message, undefined, undefined, undefined, undefined, undefined, extensions)
    : new GraphQLError(message, { extensions })
