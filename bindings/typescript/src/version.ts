/** Versions, and whether a service is one that this client was written for. */

/** The version of this package. */
export const CLIENT_VERSION = '0.1.0'

/** The version of the service whose interface this client follows. */
export const API_VERSION = '0.1.0'

/** What a comparison of versions tells. */
export interface Compatibility {
  /** Whether this client is known to work with the service. */
  readonly compatible: boolean
  /** The version that the service states. */
  readonly service_version: string
  /** The version that this client follows, `API_VERSION`. */
  readonly api_version: string
  /** Why not, in a sentence; absent if compatible. */
  readonly reason?: string
}

/**
 * Compares the version of a service with `API_VERSION`.
 *
 * From 1.0 on, the same major version is compatible. Before 1.0 it is the same minor version and the next one: what a
 * release removes is announced one minor version ahead.
 */
export function compareVersions(serviceVersion: string, apiVersion: string = API_VERSION): Compatibility {
  const result = { service_version: serviceVersion, api_version: apiVersion }
  const [service, client] = [parse(serviceVersion), parse(apiVersion)]
  if (service === undefined || client === undefined) {
    return { ...result, compatible: false, reason: 'the service states no version' }
  }
  if (service.major !== client.major) return { ...result, compatible: false, reason: 'the major versions differ' }
  if (client.major > 0) return { ...result, compatible: true }
  if (service.minor < client.minor) {
    return { ...result, compatible: false, reason: 'the service is older than this client' }
  }
  if (service.minor > client.minor + 1) {
    return { ...result, compatible: false, reason: 'the service is more than one minor version ahead of this client' }
  }
  return { ...result, compatible: true }
}

function parse(version: string): { major: number; minor: number } | undefined {
  const match = /^(\d{1,6})\.(\d{1,6})\.\d{1,6}(?:[-+].*)?$/.exec(version)
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]) }
}
