package import RecordContract
import SystemIO

extension MessageVerifier {
    /// The same verifier with a cache, which derives the keys of each gateway once.
    package var cached: MessageVerifier {
        let cache = LockedValue<[String: [SigningKey]]>([:])
        return MessageVerifier(keys: keys, isRequired: isRequired) { [keys] gateway in
            cache.withLock { known in
                if let found = known[gateway] { return found }
                let derived = keys.map { $0.gatewayKey(gateway) }
                if known.count >= mostGateways { known.removeAll() }
                known[gateway] = derived
                return derived
            }
        }
    }
}

/// Maximum number of gateways whose keys are cached. A publisher can invent gateways.
private let mostGateways = 4096
