package import RecordContract
import SystemIO

extension MessageVerifier {
    /// Returns the same verifier, which derives the keys of a gateway only once.
    package func caching() -> MessageVerifier {
        let cache = LockedValue<[String: [SigningKey]]>([:])
        return with { derive in
            { gateway in
                cache.withLock { keys in
                    if let known = keys[gateway] { return known }
                    let derived = derive(gateway)
                    if keys.count >= mostGateways { keys.removeAll() }
                    keys[gateway] = derived
                    return derived
                }
            }
        }
    }
}

/// Maximum number of gateways whose keys are kept. Anybody can invent a gateway.
private let mostGateways = 4096
