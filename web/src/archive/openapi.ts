// What a page shows of an OpenAPI document. Pure.

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}
interface Operation {
  summary: string
  description?: string
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
  responses: Record<string, { description: string; content?: Record<string, unknown> }>
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const lastOf = (reference: string): string => reference.replace(/^.*\//, '')

/** "string", "integer | null", "Game[]", "black | white". */
export function typeText(schema: Schema): string {
  if (schema.$ref) return lastOf(schema.$ref)
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return choices.map(typeText).join(' | ')
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.type === 'array' && schema.items) return `${typeText(schema.items)}[]`
  return [schema.type ?? 'any'].flat().join(' | ')
}

/** In the order of the document; parameters with what they refer to. */
export function operationsOf(document: Document) {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      description: operation.description,
      parameters: (operation.parameters ?? []).flatMap((one) =>
        '$ref' in one ? (document.components.parameters[lastOf(one.$ref)] ?? []) : [one],
      ),
      responses: Object.entries(operation.responses).map(([status, { description, content }]) => ({
        status,
        description,
        types: Object.keys(content ?? {}).join(', '),
      })),
    })),
  )
}
