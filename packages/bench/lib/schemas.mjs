import { createRandom } from './random.mjs'

/**
 * Field of the data gateway's schema listing.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string} type a scalar, or the name of a nested schema
 * @property {boolean} isArray
 * @property {string} requiredOn
 * @property {string} description
 * @property {readonly Field[]} fields
 *
 * @typedef {object} Schema an entry of the listing
 * @property {string} id
 * @property {string} schemaName
 * @property {string} collectionName
 * @property {1 | 2} schemaType 1 an entity, 2 a nested object
 * @property {number} readAccessLevel
 * @property {string} querySchema
 * @property {readonly string[]} mutationSchemas
 * @property {readonly Field[]} fields
 */

const nouns = (
  'Order Product Customer Invoice Payment Shipment Ticket Message Project Task Employee Contract ' +
  'Vehicle Device Sensor Booking Room Course Lesson Student Article Comment Review Asset Location ' +
  'Warehouse Supplier Campaign Lead Meeting'
).split(' ')
const aspects = (
  'Record Entry Item Line Event Status Request Response Template Version Draft Report Summary ' +
  'Setting Rule Limit Audit Note Tag Link Group Member Schedule Reminder Attachment Approval ' +
  'Forecast Budget Policy Archive Snapshot Import Export Share'
).split(' ')
const fieldNames = (
  'Name Title Description Status Kind Code Number Amount Currency Quantity Price Total Discount ' +
  'Tax Rating Score Priority Position Weight Height Width Colour Size Email Phone Website Street ' +
  'City Country PostalCode Latitude Longitude StartsAt EndsAt DueAt PaidAt SentAt ReadAt ClosedAt ' +
  'IsActive IsPublic IsArchived IsDefault IsLocked OwnerId ParentId CategoryId CustomerId ProjectId ' +
  'Notes Summary Labels Keywords Languages Attempts Duration Version Checksum Source Target'
).split(' ')
const system = (
  'ItemId:String CreatedDate:DateTime LastUpdatedDate:DateTime CreatedBy:String ' +
  'LastUpdatedBy:String Language:String OrganizationId:String Tags:[String]'
).split(' ')
const nestedNames = ['Address', 'Money', 'Contact', 'Period', 'Dimensions', 'Reference']

/**
 * Generates a listing like that of an instance with many schemas: entities with 8 system
 * fields and 5 to 16 of their own, every third with a nested object, and six nested
 * schemas.
 *
 * @param {number} entities
 * @param {number} [seed]
 * @returns {readonly Schema[]}
 */
export function generateSchemas(entities, seed = 7) {
  const random = createRandom(seed)
  const pairs = nouns.flatMap((noun) => aspects.map((aspect) => noun + aspect))
  // When all names are used, they repeat with a number.
  const rounds = Array.from({ length: Math.ceil(entities / pairs.length) }, (_, round) => round)
  const names = rounds.flatMap((round) => pairs.map((pair) => pair + (round || '')))
  return [
    ...nestedNames.map((name) => createSchema(name, 2, ownFields(random, 4 + random.below(3)))),
    ...names.slice(0, entities).map((name) => {
      const fields = ownFields(random, 5 + random.below(12))
      if (random.next() < 0.33) {
        const type = random.pick(nestedNames)
        fields.push(field(`${type}Info`, type, random.next() < 0.3))
      }
      return createSchema(name, 1, [...system.map(parse), ...fields])
    }),
  ]
}

/** @param {import('./random.mjs').Random} random @param {number} count */
function ownFields(random, count) {
  /** @type {Map<string, Field>} */
  const fields = new Map()
  while (fields.size < count) {
    const name = random.pick(fieldNames)
    const isArray = ['Labels', 'Keywords', 'Languages'].includes(name)
    const requiredOn = random.next() < 0.2 ? 'Insert' : 'None'
    fields.set(name, { ...field(name, typeOf(name), isArray), requiredOn })
  }
  return [...fields.values()]
}

/** @param {string} name */
function typeOf(name) {
  if (/^Is[A-Z]/.test(name)) return 'Boolean'
  if (name.endsWith('At')) return 'DateTime'
  if (/^(?:Amount|Price|Total|Discount|Tax|Rating|Weight|Height|Width|L\w+itude)$/.test(name))
    return 'Float'
  if (/^(?:Quantity|Score|Priority|Position|Attempts|Duration|Version)$/.test(name)) return 'Int'
  return 'String'
}

/** @param {string} name @param {string} type @param {boolean} isArray @returns {Field} */
const field = (name, type, isArray) => ({
  name,
  type,
  isArray,
  requiredOn: 'None',
  description: '',
  fields: [],
})

/** @param {string} spec as `Tags:[String]` */
function parse(spec) {
  const [name = '', type = ''] = spec.split(':')
  return field(name, type.replaceAll(/[[\]]/g, ''), type.startsWith('['))
}

/** @param {string} name @param {1 | 2} schemaType @param {readonly Field[]} fields @returns {Schema} */
const createSchema = (name, schemaType, fields) => ({
  id: `id-${name}`,
  schemaName: name,
  collectionName: `${name}s`,
  schemaType,
  readAccessLevel: 2,
  querySchema: `${name}s`,
  mutationSchemas: [`insert${name}`, `update${name}`, `delete${name}`],
  fields,
})

/**
 * Returns the schemas with these kinds of mutations.
 *
 * @param {readonly Schema[]} schemas
 * @param {readonly string[]} kinds
 */
export const withMutations = (schemas, kinds) =>
  schemas.map((schema) => ({
    ...schema,
    mutationSchemas: kinds.map((kind) => kind + schema.schemaName),
  }))

/**
 * Returns the schemas that have operations.
 *
 * @param {readonly Schema[]} schemas
 */
export const entitiesOf = (schemas) => schemas.filter(({ schemaType }) => schemaType === 1)

/** Wraps the schemas in the service's response. @param {readonly Schema[]} schemas */
export const listingOf = (schemas) => ({
  isSuccess: true,
  message: null,
  httpStatusCode: 200,
  errors: {},
  data: { totalCount: schemas.length, items: schemas },
})
