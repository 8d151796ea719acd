import { GraphQLError } from 'graphql'

export const validationError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'VALIDATION_ERROR' } })
