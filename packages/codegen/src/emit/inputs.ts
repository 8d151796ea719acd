import type { SchemaModel } from '../model.ts'
import type { Collectors, ValueSource } from './source.ts'
import { isRequiredOnUpdate, isUpdated, objectFields } from './types.ts'

/**
 * Emits the functions that convert a row to an input: `toProductInsert`, and
 * `toProductUpdate` if the schema has an update.
 *
 * @param fields Expression of the names of the scalars.
 */
export function emitInputs(
  schema: SchemaModel,
  fields: string,
  { types, uses }: Collectors,
): readonly ValueSource[] {
  const { type } = schema
  types.add('gateway-input', 'GatewayToInput')
  uses.add('gateway-input', 'toInput')
  const objects = objectFields(schema).map(({ name, object }) => {
    const convert = `to${object?.type}Insert`
    if (object !== undefined && object.type !== type) uses.add(object.file, convert)
    // A function, because modules may import each other.
    return `${name === '__proto__' ? `['__proto__']` : name}: () => ${convert}`
  })
  const nested = objects.length === 0 ? '' : `{ ${objects.join(', ')} }`
  const isEntity = schema.kind === 'entity'
  const insert = {
    comment: `/** Converts a row of ${type} to the input of an insert, without its ItemId. Null members are left out. */\n`,
    name: `to${type}Insert`,
    type: `GatewayToInput<${type}, ${type}InsertInput>`,
    value: `/* @__PURE__ */ toInput(${[fields, isEntity, nested].filter((one) => one !== '').join(', ')})`,
  }
  if (!isUpdated(schema)) return [insert]
  const required = schema.fields.filter(isRequiredOnUpdate).map(({ name }) => name)
  const update = {
    comment: `/** Converts a row of ${type} to the input of an update. Null members are kept, except required ones. */\n`,
    name: `to${type}Update`,
    type: `GatewayToInput<${type}, ${type}UpdateInput>`,
    value: `/* @__PURE__ */ toInput(${fields}, ${isEntity}, ${nested || '{}'}, '${required.join(' ')}')`,
  }
  return [insert, update]
}
