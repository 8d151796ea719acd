/**
 * Routes of section 4 as plain data without a validator, for browsers. Each file below
 * contains the routes of one group.
 */
export { projectHeader } from './route.ts'
export type { Effect, Route } from './route.ts'
export * from './routes/auth.ts'
export * from './routes/data.ts'
export * from './routes/iam.ts'
export * from './routes/idp.ts'
export * from './routes/knowledge.ts'
export * from './routes/localization.ts'
export * from './routes/storage.ts'
export * from './routes/tools.ts'
export * from './routes/translation.ts'
export * from './routes/webhooks.ts'
