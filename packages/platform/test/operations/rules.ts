/** A rule of the interface that is no answer of one operation, and the test of it. */
interface Rule {
  readonly section: '3' | '6' | '8'
  readonly rule: string
  readonly file: string
  /** Name of the test in that file. */
  readonly test: string
}

const rule = (section: Rule['section'], text: string, file: string, test: string): Rule => ({
  section,
  rule: text,
  file,
  test,
})

/** The transitions of section 3, the event of section 6 and the limits of section 8. */
export const rules: readonly Rule[] = [
  rule(
    '3',
    'An empty password invites, and activation enables and verifies the account',
    'people.test.ts',
    'are invited with an empty password, and activated with the code of the link',
  ),
  rule(
    '3',
    'An account of /idp/v1/Iam/Create is active and not verified',
    'people.test.ts',
    'are made by the other family: active and not verified',
  ),
  rule(
    '3',
    'Deactivation ends the sessions of the account, and deletes nothing',
    'sign-in.test.ts',
    'ends with the account',
  ),
  rule(
    '3',
    'Roles and permissions are replaced, not added to',
    'people.test.ts',
    'lose the roles and permissions that are not sent',
  ),
  rule(
    '3',
    'A callback with code and state establishes a session in cookies',
    'sign-in.test.ts',
    'ends in a session that is in cookies, out of reach of scripts',
  ),
  rule(
    '3',
    'A session answers while it is valid',
    'sign-in.test.ts',
    'ends when it is not renewed for half an hour',
  ),
  rule(
    '3',
    'A refresh renews the session, so that a refused request may be sent again',
    'sign-in.test.ts',
    'is renewed when its access is over, and stays the same session',
  ),
  rule(
    '3',
    'Logout revokes the session on the server',
    'sign-in.test.ts',
    'is revoked by a logout, on the server too',
  ),
  rule(
    '3',
    'A webhook that is disabled keeps its configuration and delivers nothing',
    'webhooks.test.ts',
    'keeps its configuration and delivers nothing while it is disabled',
  ),
  rule(
    '3',
    'A webhook is made without an id, and changed by it',
    'webhooks.test.ts',
    'is made, and changed by its id',
  ),
  rule(
    '3',
    'A webhook of an id that there is not is made with that id',
    'webhooks.test.ts',
    'is made by an id that nobody knows, in place of the one before',
  ),
  rule(
    '3',
    'The OAuth flow of a tool keeps its state for the callback, with PKCE',
    'tools.test.ts',
    'begins with everything that an authorization server asks for',
  ),
  rule(
    '6',
    'The end of an auto-translation job is told to the webhook',
    'drafts.test.ts',
    'fills what is missing, tells how far it is, and tells the webhook',
  ),
  rule(
    '6',
    'The secret is in the header that the webhook names',
    'webhooks.test.ts',
    'carries the event, the secret and a signature',
  ),
  rule(
    '6',
    'preventPostEvent keeps back what follows an activation',
    'people.test.ts',
    'are made by the other family: active and not verified',
  ),
  rule(
    '8',
    'A project key has at most 64 characters',
    'operations/localization.ts',
    'with a project key of more than 64 characters',
  ),
  rule(
    '8',
    'The temperature is from 0 to 1',
    'drafts.test.ts',
    'need every field, a temperature within bounds, and a project',
  ),
  rule(
    '8',
    'Pages of /idp/v1 begin with 1, those of /iam/v4 with 0',
    'people.test.ts',
    'are listed by both families, with their own first page, filters and order',
  ),
  rule(
    '8',
    'Pages of files begin with 0',
    'storage.test.ts',
    'are found by name, tag, id and kind, in pages from 0',
  ),
  rule(
    '8',
    'Pages of schemas begin with 1',
    'data.test.ts',
    'answers the definitions as they were given, in pages',
  ),
  rule(
    '8',
    'The authorization address of a tool is good for ten minutes',
    'tools.test.ts',
    'refuses a code that was begun by someone else, a late one and a failure',
  ),
  rule(
    '8',
    'Addresses of uploads and downloads are good for a while',
    'storage.test.ts',
    'are refused at an address whose time is over',
  ),
  rule(
    '8',
    'A project has one webhook',
    'webhooks.test.ts',
    'is made by an id that nobody knows, in place of the one before',
  ),
  rule(
    '8',
    'maxCharacterLength caps the translation',
    'drafts.test.ts',
    'are none where nothing is like the text, or all are too long',
  ),
]
