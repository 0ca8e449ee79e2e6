// The types of the API, as docs/openapi.json has them: `npm run types` makes them of it.
import type { components } from '../generated/api'

export type Api = components['schemas']
